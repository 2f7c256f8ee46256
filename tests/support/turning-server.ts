import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** The answers of the honest server: a calendar file, the account and the calendar of a CalDAV server, and its events. */
export type HonestAnswers = { readonly file: string; readonly found: string; readonly listed: string }

/** A server that gives a calendar file, and a CalDAV account at `/dav/`, or one attack for everything. */
export type TurningServer = {
  readonly url: string
  /** Null: it is honest. */
  turn(attack: string | null): Promise<void>
  stop(): Promise<unknown>
}

export async function startTurningServer(honest: HonestAnswers): Promise<TurningServer> {
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
