import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { epochMsOf, sandboxEventSchema } from '#sandbox/calendars/event.ts'
import { APPOINTMENT_PROPERTY } from '#server/integrations/google/event-id.ts'
import type { GoogleSettings } from '#server/integrations/google/google-settings.ts'
import { findAppointmentProperty } from '#server/integrations/own-events/appointment-property.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { postForm } from '#tests/support/post-form.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import { queryRows } from '#tests/support/race-track.ts'

/** The URL of the database in which the sandbox stores its data. */
export type GoogleSandboxThreadInput = { readonly databaseUrl: string }

/** Meridian's settings for reaching the sandbox. */
export type GoogleSandboxSettings = Pick<GoogleSettings, 'clientId' | 'clientSecret'> & {
  readonly sandboxUrl: string
}

/** An event as stored at the provider. */
export type EventAtProvider = {
  readonly id: string
  /** The id of the appointment in our private property; null for an event that a person added. */
  readonly appointmentId: string | null
  readonly isCancelled: boolean
  readonly startMs: number
  readonly endMs: number
}

export type GoogleSandboxInThread = {
  readonly settings: GoogleSandboxSettings
  /** From now on, notifications are sent to Meridian at this URL. */
  readonly notify: (productUrl: string) => void
  /** A person adds an event, in the calendar's time zone. */
  readonly addEvent: (email: string, fields: Readonly<Record<string, string>>) => Promise<void>
  /** Sets the time zone of an account's main calendar. */
  readonly setZone: (email: string, timeZone: string) => Promise<void>
  /** Lists all events of the main calendar, including removed ones. */
  readonly listEvents: (email: string) => Promise<readonly EventAtProvider[]>
  readonly stop: () => Promise<void>
}

/** Starts the Google sandbox with a separate database on the server at `postgresUrl`. */
export async function startGoogleSandboxInThread(postgresUrl: string): Promise<GoogleSandboxInThread> {
  const databaseUrl = await createDatabase(postgresUrl)
  const workerData: GoogleSandboxThreadInput = { databaseUrl }
  const thread = new Worker(join(import.meta.dirname, 'google-thread.ts'), { workerData })
  const [settings] = (await once(thread, 'message')) as [GoogleSandboxSettings] // sent by google-thread.ts
  const database = await openDatabase({ url: databaseUrl, dataDir: 'not used', poolSize: 1 })
  const press = async (email: string, path: string, fields: Readonly<Record<string, string>>) => {
    const account = encodeURIComponent(email)
    const answer = await postForm(`${settings.sandboxUrl}/calendar/${account}/${account}${path}`, fields)
    if (answer.status !== 303) throw new Error(await answer.text())
  }
  return {
    settings,
    notify: (productUrl) => thread.postMessage(productUrl),
    addEvent: (email, fields) => press(email, '/events', fields),
    setZone: (email, timeZone) => press(email, '', { action: 'zone', time_zone: timeZone }),
    listEvents: async (email) => {
      const rows = await queryRows(
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

function toEventThere(object: unknown): EventAtProvider {
  const { id, isCancelled, privateProperties, start, end } = sandboxEventSchema.parse(object)
  return {
    id,
    appointmentId: findAppointmentProperty(privateProperties[APPOINTMENT_PROPERTY])?.appointmentId ?? null,
    isCancelled,
    startMs: epochMsOf(start, 'UTC'),
    endMs: epochMsOf(end, 'UTC'),
  }
}
