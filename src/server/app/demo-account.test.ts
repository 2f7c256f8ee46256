import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/meridian.ts'
import { seedWhenEmpty } from '#tools/seed.ts'
import { compose } from './compose.ts'
import { readConfig } from './config.ts'
import { DemoAccountError } from './demo-account.ts'

type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>

let database: TestDatabase

const PRODUCTION = readConfig({
  NODE_ENV: 'production',
  LOG_LEVEL: 'silent',
  BASE_URL: 'https://book.example.org',
  DATA_DIR: './data',
  SECRET_KEY: 'a secret for tests that is long enough',
  SMTP_URL: 'smtp://127.0.0.1:1',
})

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

test('production does not start on a database that has the demo account', async () => {
  await seedWhenEmpty(database.db, Date.parse('2027-01-04T08:00:00Z'))
  await expect(compose(PRODUCTION, { database })).rejects.toThrow(DemoAccountError)
})
