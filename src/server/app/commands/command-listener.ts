import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import { CommandError } from './command-error.ts'

/**
 * The server that lets the command line ask the running product, because only one process can open the embedded
 * database. Source: rule D19.
 */
export type CommandListener = {
  /** Listens on loopback on any free port, and writes the port into the data directory. */
  readonly listen: () => Promise<void>
  readonly close: () => Promise<void>
}

/** What a command runs, by its first word; the other words are its arguments. */
export type CommandHandlers = Readonly<Record<string, (args: readonly string[]) => Promise<unknown>>>

/** Maximum time to receive a request, in milliseconds. */
const RECEIVE_MS = 10_000
const MAX_BODY_BYTES = 10_000
const ANSWERS = { done: 200, failed: 422 } as const

const addressSchema = z.object({ port: z.int().min(1).max(65_535), token: z.string().min(1) })
const wordsSchema = z.array(z.string().max(1_000)).min(1).max(10)

/**
 * Builds the server. Requests need a token that changes at each start. It is in a file in the data directory, so only users
 * who can read that file can send commands; browsers cannot.
 */
export function buildCommandListener(dataDir: string, handlers: CommandHandlers): CommandListener {
  const token = randomBytes(32).toString('base64url')
  const server = createServer((incoming, response) => {
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (!isSame(incoming.headers.authorization ?? '', `Bearer ${token}`)) return answer(403, null)
    run(incoming, handlers).then(
      (result) => answer(ANSWERS.done, result ?? null),
      (error: unknown) =>
        error instanceof CommandError ? answer(ANSWERS.failed, error.message) : answer(500, null),
    )
  })
  server.requestTimeout = RECEIVE_MS
  server.unref()
  return {
    async listen() {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      // Delete the file first, because a killed process may have left its own.
      await rm(pathOf(dataDir), { force: true })
      await writeFile(pathOf(dataDir), JSON.stringify({ port: portOf(server), token }), { mode: 0o600 })
    },
    async close() {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await rm(pathOf(dataDir), { force: true })
    },
  }
}

async function run(incoming: IncomingMessage, handlers: CommandHandlers): Promise<unknown> {
  if (!(Number(incoming.headers['content-length']) <= MAX_BODY_BYTES)) throw new Error('a command is short')
  const [name = '', ...args] = wordsSchema.parse(await json(incoming))
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined
  if (handler === undefined) throw new CommandError(`The running product does not know the command ${name}.`)
  return handler(args)
}

/**
 * Runs a command in the product that runs on this data directory, and returns its result.
 * @throws CommandError with the product's reason when the command failed
 * @throws Error when the product does not respond
 */
export async function askRunningProduct(
  dataDir: string,
  words: readonly string[],
  timeoutMs: number,
): Promise<unknown> {
  const { port, token } = addressSchema.parse(JSON.parse(await readFile(pathOf(dataDir), 'utf8')))
  const body = JSON.stringify(words)
  const headers = { authorization: `Bearer ${token}`, 'content-length': Buffer.byteLength(body) }
  // Not `fetch`, which gives up after five minutes whatever `timeoutMs` is.
  const asked = request({ host: '127.0.0.1', port, method: 'POST', headers, timeout: timeoutMs })
  asked.on('timeout', () => asked.destroy(new Error('the running product does not answer')))
  asked.end(body)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const result: unknown = await json(answer)
  if (answer.statusCode === ANSWERS.failed) throw new CommandError(String(result))
  if (answer.statusCode !== ANSWERS.done) throw new Error(`the running product answers ${answer.statusCode}`)
  return result
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('commands are listened to on no port')
  return address.port
}

function pathOf(dataDir: string): string {
  return join(dataDir, 'commands.json')
}
