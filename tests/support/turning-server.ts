import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** The responses of an honest server: a calendar file, a CalDAV server's account and calendar, and the calendar's events. */
export type HonestResponses = { readonly file: string; readonly found: string; readonly listed: string }

/** A server with a calendar file and, at `/dav/`, a CalDAV account. It can also respond to every request with an attack. */
export type MaliciousCalendarServer = {
  readonly url: string
  /** Sets the attack; null makes the server honest again. */
  turn(attack: string | null): Promise<void>
  stop(): Promise<unknown>
}

export async function startMaliciousCalendarServer(
  honest: HonestResponses,
): Promise<MaliciousCalendarServer> {
  const thread = new Worker(new URL('./turning-server-thread.ts', import.meta.url), { workerData: honest })
  const [port] = await once(thread, 'message')
  return {
    url: `http://127.0.0.1:${port}`,
    async turn(attack) {
      const turned = once(thread, 'message')
      thread.postMessage(attack)
      await turned
    },
    stop: () => thread.terminate(),
  }
}
