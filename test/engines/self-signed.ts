import { generateKeyPairSync, sign } from 'node:crypto';

/** A key and a certificate for localhost and 127.0.0.1 that signs itself: for the TLS of test servers only, new for each run. */
export function selfSigned(): { readonly key: string; readonly certificate: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
  const name = sequence(tlv(0x31, sequence(objectId('550403'), tlv(0x0c, Buffer.from('localhost')))));
  const alternatives = sequence(tlv(0x82, Buffer.from('localhost')), tlv(0x87, Buffer.from([127, 0, 0, 1])));
  const isAuthority = sequence(tlv(0x01, Buffer.from([0xff])));
  const extensions = sequence(
    sequence(objectId('551d11'), tlv(0x04, alternatives)),
    sequence(objectId('551d13'), tlv(0x04, isAuthority)),
  );
  const day = 86_400_000;
  const signed = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(Date.now() - day), time(Date.now() + 30 * day)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, extensions),
  );
  const signature = sign('sha256', signed, privateKey);
  const certificate = sequence(signed, ecdsaWithSha256, tlv(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const base64 = certificate.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}

/** DER: tag, length, value. */
function tlv(tag: number, value: Buffer): Buffer {
  const { length } = value;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), value]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), value]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

function objectId(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, 'hex'));
}

function time(milliseconds: number): Buffer {
  const text = new Date(milliseconds).toISOString().replace(/[-:T]|\.\d+/g, '');
  return tlv(0x17, Buffer.from(text.slice(2)));
}
