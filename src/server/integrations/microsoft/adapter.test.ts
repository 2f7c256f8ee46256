import { afterAll, beforeAll } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { testCalendarProviderContract } from '#tests/support/calendar-provider-contract.ts'
import { type CalendarSandboxWithAdapter, openSandboxTestAccount } from '#tests/support/calendar-stand-in.ts'
import { startMicrosoftSandboxWithAdapter } from '#tests/support/microsoft-stand-in.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'

let database: Database
let microsoft: CalendarSandboxWithAdapter
beforeAll(async () => {
  database = await openTestDatabase()
  microsoft = await startMicrosoftSandboxWithAdapter(database.db)
})
afterAll(async () => {
  await microsoft.stop()
  await database.close()
})

testCalendarProviderContract('Microsoft 365', () =>
  openSandboxTestAccount(microsoft, 'contract@outlook.example'),
)
