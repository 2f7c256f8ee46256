import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { nthFreeTime } from './free-time.ts'
import { makeCalendar, makeOwner, startMeridian, TEST_SECRET_KEY } from './meridian.ts'
import { providedValue } from './provided-value.ts'
import type { ServerProcess } from './server-process.ts'

/** The data directory of a server that is not running, with one practice that opens 09:00–17:00 UTC on weekdays. */
export type PracticeFolder = {
  readonly dataDir: string
  readonly slug: string
  readonly ownerEmail: string
  /** Opens the practice's database in this process while `look` runs. */
  readonly inspect: <Found>(look: (database: Database) => Promise<Found>) => Promise<Found>
  readonly remove: () => Promise<void>
}

/**
 * Makes a practice folder. `given` is the folder of a database with all migrations, Vitest's by default. Null, the value outside
 * Vitest, makes a new one.
 */
export async function makePracticeFolder(given?: string | null, folder = tmpdir()): Promise<PracticeFolder> {
  const template = given === undefined ? await providedValue('databaseTemplate') : given
  const dataDir = await mkdtemp(join(folder, 'meridian-practice-'))
  if (template !== null) await cp(join(template, 'pgdata'), join(dataDir, 'pgdata'), { recursive: true })
  const open = () => openDatabase({ dataDir, poolSize: 1 })
  const meridian = await startMeridian({ database: await open() })
  const owner = await makeOwner(meridian)
  const { slug } = await makeCalendar(meridian, owner, { timezone: 'UTC' })
  await meridian.stop()
  // Processes without SECRET_KEY read the database's key from this file.
  await writeFile(join(dataDir, 'secret-key'), TEST_SECRET_KEY, { mode: 0o600 })
  return {
    dataDir,
    slug,
    ownerEmail: owner.email,
    async inspect(look) {
      const database = await open()
      try {
        return await look(database)
      } finally {
        await database.close()
      }
    },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  }
}

export type BookingRush = {
  /** Ids of the appointments confirmed with a 201 so far. */
  readonly booked: readonly string[]
  /** Responses other than a 201. Refused connections do not count. */
  readonly oddAnswers: readonly string[]
  /** Waits until this many appointments are booked. */
  readonly until: (count: number) => Promise<void>
  /** Waits for the first response other than a 201. */
  readonly untilOdd: () => Promise<void>
  /** Waits until the server stops listening. */
  readonly ended: () => Promise<void>
  /** Sends no more requests, and waits for those in progress. */
  readonly over: () => Promise<void>
}

const CONNECTIONS = 6
const WAIT_LIMIT_MS = 240_000
let times = 0

/** Books one free time after another over several connections, until the server stops listening or `over` is called. */
export function startBookingRush(server: ServerProcess, slug: string): BookingRush {
  const booked: string[] = []
  const oddAnswers: string[] = []
  let open = true
  const runner = async () => {
    while (open) {
      const i = times++
      try {
        const answer = await server.request(`/api/public/calendars/${slug}/appointments`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            starts_at: nthFreeTime(i),
            customer: { name: `Guest ${i}`, email: `guest-${i}@example.com` },
          }),
        })
        const body = await answer.text()
        if (answer.status === 201) booked.push(JSON.parse(body).id)
        else oddAnswers.push(`${answer.status} ${answer.headers.get('content-type')} ${body}`)
      } catch {
        // The server is stopping or gone. Bookings without a response may or may not have been stored.
        return
      }
    }
  }
  const runners = Array.from({ length: CONNECTIONS }, runner)
  const ended = async () => {
    await Promise.all(runners)
  }
  const untilLonger = async (list: readonly string[], count: number) => {
    for (const endMs = Date.now() + WAIT_LIMIT_MS; list.length < count; ) {
      if (Date.now() > endMs) throw new Error(`only ${booked.length} booked: ${oddAnswers[0]}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  return {
    booked,
    oddAnswers,
    until: (count) => untilLonger(booked, count),
    untilOdd: () => untilLonger(oddAnswers, 1),
    ended,
    over() {
      open = false
      return ended()
    },
  }
}
