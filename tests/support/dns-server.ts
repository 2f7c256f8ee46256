import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type Answer, decode, encode, type Question } from 'dns-packet'

/** A DNS record as a person writes it. A long `TXT` record consists of several strings, which the client joins. */
export type ServedRecord =
  | { readonly type: 'TXT'; readonly name: string; readonly texts: readonly string[] }
  | { readonly type: 'CNAME' | 'A' | 'AAAA'; readonly name: string; readonly value: string }

export type DnsServer = {
  /** The server's address in the format of the `DNS_SERVERS` setting. */
  readonly address: string
  readonly questions: string[]
  readonly set: (records: readonly ServedRecord[]) => void
  /** `silent`: receives queries and never responds. `failing`: responds with a server failure. */
  readonly behave: (manner: 'good' | 'silent' | 'failing') => void
  readonly close: () => Promise<void>
}

/** Response codes of RFC 1035. */
const SERVER_FAILURE = 2
const NO_SUCH_NAME = 3
/** Maximum number of CNAME records to follow. */
const MAX_CHAIN = 10

/** Makes a record with one value, whatever its type. */
export function toServedRecord(type: ServedRecord['type'], name: string, value: string): ServedRecord {
  return type === 'TXT' ? { type, name, texts: [value] } : { type, name, value }
}

/** Starts a real DNS server on loopback, over UDP. */
export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const questions: string[] = []
  let records: readonly ServedRecord[] = []
  let manner: 'good' | 'silent' | 'failing' = 'good'
  socket.on('message', (message, sender) => {
    const { id, questions: asked = [] } = decode(message)
    const [question] = asked
    if (question === undefined) return
    questions.push(`${question.type} ${question.name}`)
    if (manner === 'silent') return
    const answers = manner === 'failing' ? [] : findAnswers(records, question)
    const isKnown = records.some(({ name }) => isSame(name, question.name))
    const code = manner === 'failing' ? SERVER_FAILURE : isKnown ? 0 : NO_SUCH_NAME
    socket.send(
      encode({ type: 'response', id: id ?? 0, flags: 0x0180 | code, questions: [question], answers }),
      sender.port,
      sender.address,
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    set: (given) => {
      records = given
    },
    behave: (given) => {
      manner = given
    },
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** Answers as a resolver does: an address query also returns the CNAME records that lead to the address. */
function findAnswers(records: readonly ServedRecord[], { type, name }: Question): Answer[] {
  const answers: Answer[] = []
  let asked = name
  for (let i = 0; i < MAX_CHAIN; i += 1) {
    const own = records.filter((record) => isSame(record.name, asked))
    answers.push(...own.filter((record) => record.type === type).map(toAnswer))
    const alias = own.find((record) => record.type === 'CNAME')
    if (alias === undefined || type === 'CNAME' || alias.type !== 'CNAME') break
    answers.push(toAnswer(alias))
    asked = alias.value
  }
  return answers
}

function toAnswer(record: ServedRecord): Answer {
  const { type, name } = record
  const ttl = 1
  return type === 'TXT'
    ? { type, name, ttl, data: [...record.texts] }
    : { type, name, ttl, data: record.value }
}

/** DNS names are case-insensitive. */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
