import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { epochMsOf, sandboxEvent } from '#sandbox/calendars/event.ts'
import { APPOINTMENT_PROPERTY } from '#server/integrations/google/event-id.ts'
import type { GoogleSettings } from '#server/integrations/google/google-settings.ts'
import { findAppointmentProperty } from '#server/integrations/own-events/appointment-property.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { post } from '#tests/support/post-form.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import { readRows } from '#tests/support/race-track.ts'

/** Where the stand-in keeps what it knows. */
export type GoogleThread = { readonly databaseUrl: string }

/** With what the product reaches it. */
export type StandInSettings = Pick<GoogleSettings, 'clientId' | 'clientSecret'> & {
  readonly sandboxUrl: string
}

/** An event as the provider itself has it. */
export type EventThere = {
  readonly id: string
  /** The appointment that our private property names; null for an event that a person added. */
  readonly appointmentId: string | null
  readonly isCancelled: boolean
  readonly startMs: number
  readonly endMs: number
}

export type GoogleStandIn = {
  readonly settings: StandInSettings
  /** From now on notifications go to the product at this address. */
  readonly notify: (productUrl: string) => void
  /** A person adds an event, in the zone of the calendar. */
  readonly addEvent: (email: string, fields: Readonly<Record<string, string>>) => Promise<void>
  /** The zone in which the main calendar of an account is shown. */
  readonly setZone: (email: string, timeZone: string) => Promise<void>
  /** Every event of the main calendar, those that were removed included. */
  readonly listEvents: (email: string) => Promise<readonly EventThere[]>
  readonly stop: () => Promise<void>
}

/** The stand-in of Google with a database of its own on the server at `postgresUrl`. */
export async function startGoogle(postgresUrl: string): Promise<GoogleStandIn> {
  const databaseUrl = await createDatabase(postgresUrl)
  const workerData: GoogleThread = { databaseUrl }
  const thread = new Worker(join(import.meta.dirname, 'google-thread.ts'), { workerData })
  const [settings] = (await once(thread, 'message')) as [StandInSettings] // what google-thread.ts sends
  const database = await openDatabase({ url: databaseUrl, dataDir: 'not used', poolSize: 1 })
  const press = async (email: string, path: string, fields: Readonly<Record<string, string>>) => {
    const account = encodeURIComponent(email)
    const answer = await post(`${settings.sandboxUrl}/calendar/${account}/${account}${path}`, fields)
    if (answer.status !== 303) throw new Error(await answer.text())
  }
  return {
    settings,
    notify: (productUrl) => thread.postMessage(productUrl),
    addEvent: (email, fields) => press(email, '/events', fields),
    setZone: (email, timeZone) => press(email, '', { action: 'zone', time_zone: timeZone }),
    listEvents: async (email) => {
      const rows = await readRows(
        database,
        `select object from sandbox_objects where provider = 'google' and kind = $1 order by id`,
        [`event:${email}`],
      )
      return rows.map(({ object }) => toEventThere(object))
    },
    stop: async () => {
      await thread.terminate()
      await database.close()
    },
  }
}

function toEventThere(object: unknown): EventThere {
  const { id, isCancelled, privateProperties, start, end } = sandboxEvent.parse(object)
  return {
    id,
    appointmentId: findAppointmentProperty(privateProperties[APPOINTMENT_PROPERTY])?.appointmentId ?? null,
    isCancelled,
    startMs: epochMsOf(start, 'UTC'),
    endMs: epochMsOf(end, 'UTC'),
  }
}
