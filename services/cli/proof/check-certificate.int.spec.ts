import { createPublicKey, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '#config/load-config.js';
import { openSqliteLedger } from '#ledger/sqlite/sqlite-ledger.js';
import { openEmbedded } from '../embedded/open-embedded.js';
import { plainLog } from '../embedded/plain-log.js';
import { type CertificateFile, readCertificateFile } from './certificate-file.js';
import { type CompletedErasure, completedErasure } from './certificate-of.js';
import { certificateCheck } from './check-certificate.js';
import { makeSigningKey } from './signing-key-file.js';

const folder = mkdtempSync(join(tmpdir(), 'hl-certificate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let path: string;
let given: CertificateFile;
let listed: readonly CompletedErasure[];
let ledgerId: string;
let bank: string;

/** One memory erased, with a key to sign by, and then its bank. */
beforeAll(async () => {
  const { config } = loadConfig({ flags: { home: join(folder, 'home') }, env: {} });
  const home = await openEmbedded({ config, log: plainLog('silent', () => undefined) });
  const { commands, caller, paths, ledger } = home;
  const { memory_id } = await commands.write({ content: 'the door code is 4711' }, caller('memory_write'));
  await makeSigningKey(paths.signingKey);
  const erase = (confirm?: string) =>
    commands.erase({ memory_ids: [String(memory_id)], reason: 'r', ...(confirm && { confirm }) }, caller('erase'));
  const { confirm } = await erase();
  const { erasure } = await erase(confirm);
  given = erasure!.certificate!;
  ledgerId = ledger.id;
  bank = home.bank;
  await commands.write({ content: 'the lift is slow' }, caller('memory_write'));
  const whole = await commands.eraseBank({ reason: 'r' }, caller('bank delete'));
  await commands.eraseBank({ reason: 'r', confirm: whole.confirm }, caller('bank delete'));
  await home.close();
  path = paths.ledger;
});

async function found(certificate: CertificateFile) {
  const ledger = await openSqliteLedger(path, { readOnly: true });
  try {
    const check = certificateCheck(ledger.id, certificate);
    const all: CompletedErasure[] = [];
    for await (const event of ledger.readAll()) {
      check.take(event);
      const erasure = completedErasure(event);
      if (erasure) all.push(erasure);
    }
    listed = all;
    return check.found();
  } finally {
    await ledger.close();
  }
}

describe('the certificate of an erasure', () => {
  it('is right as it was given, and the ledger gives it again', async () => {
    expect(await found(given)).toMatchObject({
      signature: 'right',
      publicKey: given.public_key,
      stands: true,
      faults: [],
    });
    expect(listed[0]!.certificate).toEqual(given);
  });

  it('of a whole bank says so, and is as right', async () => {
    await found(given);
    expect(listed.map(({ bank: whole, memories }) => [whole, memories])).toEqual([
      [undefined, 1],
      [bank, 0],
    ]);
    expect(await found(listed[1]!.certificate!)).toMatchObject({ signature: 'right', stands: true, faults: [] });
  });

  it('is what a stranger can check by the documented bytes', () => {
    const bytes = Buffer.concat([
      Buffer.from('hindsight-ledger/erasure'),
      Buffer.from([0, 1]),
      Buffer.from(given.text),
    ]);
    // An Ed25519 public key in DER is these twelve bytes and its own 32.
    const raw = Buffer.from(given.public_key!, 'base64url');
    const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    expect(verify(null, bytes, key, Buffer.from(given.signature!, 'base64url'))).toBe(true);
  });

  it.each([
    [
      'a text that was changed',
      () => ({ text: given.text.replace('"memories":1', '"memories":2') }),
      'not of what it says',
    ],
    ['another key', () => ({ public_key: Buffer.alloc(32, 7).toString('base64url') }), 'not of what it says'],
    ['a key that is none', () => ({ public_key: 'x' }), 'not of what it says'],
    ['a signature without its key', () => ({ public_key: undefined }), 'not of what it says'],
    ['no signature where the ledger has one', () => ({ signature: undefined, public_key: undefined }), 'or none'],
    ['another ledger', () => ({ text: given.text.replaceAll(ledgerId, '0'.repeat(16)) }), 'it is of ledger 0000'],
    [
      'an erasure that never was',
      () => ({ text: given.text.replace(/"erasure":"[^"]+"/, '"erasure":"nobody"') }),
      'no completed erasure nobody',
    ],
    ['something else', () => ({ text: '{"hello":1}' }), 'does not say of which ledger'],
  ])('with %s is wrong', async (_, change, says) => {
    const { faults } = await found({ ...given, ...change() });
    expect(faults.join('; ')).toContain(says);
  });

  it('with a text that the ledger does not hold does not stand', async () => {
    const text = given.text.replace('"memories":1', '"memories":2');
    expect(await found({ text })).toMatchObject({
      signature: 'none',
      stands: false,
      faults: [expect.stringContaining('says otherwise of erasure')],
    });
  });

  it('is read from its file, and whatever is none is refused', () => {
    const file = join(folder, 'certificate.json');
    writeFileSync(file, JSON.stringify(given));
    expect(readCertificateFile(file)).toEqual(given);
    writeFileSync(file, '{}');
    expect(() => readCertificateFile(file)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    expect(() => readCertificateFile(join(folder, 'none'))).toThrow(
      expect.objectContaining({ code: 'file_not_found' }),
    );
  });
});
