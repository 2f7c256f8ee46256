import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type Answer, decode, encode, RECURSION_DESIRED } from 'dns-packet'

type RecordType = 'TXT' | 'CNAME' | 'A' | 'AAAA'

/** A DNS server on loopback, which answers over UDP what it was told. */
export type DnsServer = {
  /** With its port, as the setting DNS_SERVERS takes it. */
  readonly address: string
  /** What a name has from now on; nothing removes it. */
  readonly set: (name: string, type: RecordType, values: readonly string[]) => void
  readonly stop: () => Promise<void>
}

/** Nobody keeps an answer. */
const TTL_SECONDS = 0

export async function startDnsServer(): Promise<DnsServer> {
  const records = new Map<string, readonly string[]>()
  const listAnswers = (name: string, type: string): Answer[] => {
    const own = toAnswers(name, type, records.get(`${name} ${type}`) ?? [])
    const [target] = type === 'CNAME' ? [] : (records.get(`${name} CNAME`) ?? [])
    // As a resolver does, which follows the name to its end.
    return target === undefined ? own : [...toAnswers(name, 'CNAME', [target]), ...listAnswers(target, type)]
  }
  const socket = createSocket('udp4')
  socket.on('message', (message, { port, address }) => {
    const { id, questions = [] } = decode(message)
    const answers = questions.flatMap(({ name, type }) => listAnswers(name.toLowerCase(), type))
    const response = encode({ type: 'response', id, flags: RECURSION_DESIRED, questions, answers })
    socket.send(response, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    set: (name, type, values) => {
      if (values.length === 0) records.delete(`${name} ${type}`)
      else records.set(`${name} ${type}`, values)
    },
    stop: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function toAnswers(name: string, type: string, values: readonly string[]): Answer[] {
  switch (type) {
    case 'TXT':
      return values.map((data) => ({ name, type, ttl: TTL_SECONDS, data }))
    case 'CNAME':
    case 'A':
    case 'AAAA':
      return values.map((data) => ({ name, type, ttl: TTL_SECONDS, data }))
    default:
      return []
  }
}
