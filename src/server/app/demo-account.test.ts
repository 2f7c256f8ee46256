import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount } from '#server/platform/auth/account-rows.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { compose } from './compose.ts'
import { readConfig } from './config.ts'
import { DEMO_LOGIN, DemoAccountError } from './demo-account.ts'

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
  const { email } = DEMO_LOGIN
  await inTransaction(database.db, (trx) =>
    insertAccount(trx, { id: randomUUID(), email, fullName: 'Amara Osei', passwordHash: 'not used' }),
  )
  await expect(compose(PRODUCTION, { database })).rejects.toThrow(DemoAccountError)
})
