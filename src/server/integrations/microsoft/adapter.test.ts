import { afterAll, beforeAll } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { describeCalendarProvider } from '#tests/support/calendar-provider-contract.ts'
import { type CalendarStandIn, openStandInWorld } from '#tests/support/calendar-stand-in.ts'
import { startMicrosoftStandIn } from '#tests/support/microsoft-stand-in.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'

let database: Database
let microsoft: CalendarStandIn
beforeAll(async () => {
  database = await openTestDatabase()
  microsoft = await startMicrosoftStandIn(database.db)
})
afterAll(async () => {
  await microsoft.stop()
  await database.close()
})

describeCalendarProvider('Microsoft 365', () => openStandInWorld(microsoft, 'contract@outlook.example'))
