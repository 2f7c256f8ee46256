import { parentPort, workerData } from 'node:worker_threads'
import { startGoogleSandbox } from '#sandbox/google/start-google-sandbox.ts'
import { systemClock } from '#server/platform/clock.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import type { GoogleSandboxThreadInput } from './google-stand-in.ts'

/** Runs the Google sandbox in a separate thread, so that its work does not delay bookings. Started by google-stand-in.ts. */
const { databaseUrl: url } = workerData as GoogleSandboxThreadInput // passed by google-stand-in.ts
const { db } = await openDatabase({ url, dataDir: 'not used', poolSize: 4 })
await migrate(db)
let productUrl: string | null = null
const reach = (notifyUrl: string) =>
  productUrl === null ? null : `${productUrl}${new URL(notifyUrl).pathname}`
const { settings } = await startGoogleSandbox({ db, now: systemClock, reach })
parentPort?.on('message', (listening: string) => {
  productUrl = listening
})
const { clientId, clientSecret, sandboxUrl } = settings
parentPort?.postMessage({ clientId, clientSecret, sandboxUrl })
