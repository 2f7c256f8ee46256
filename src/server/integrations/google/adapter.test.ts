import { afterAll, beforeAll } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { describeCalendarProvider } from '#tests/support/calendar-provider-contract.ts'
import { type GoogleStandIn, openGoogleWorld, startGoogleStandIn } from '#tests/support/google-stand-in.ts'
import { openTestDatabase } from '#tests/support/meridian.ts'

let database: Database
let google: GoogleStandIn
beforeAll(async () => {
  database = await openTestDatabase()
  google = await startGoogleStandIn(database.db)
})
afterAll(async () => {
  await google.stop()
  await database.close()
})

describeCalendarProvider('Google', () => openGoogleWorld(google, 'contract@gmail.example'))
