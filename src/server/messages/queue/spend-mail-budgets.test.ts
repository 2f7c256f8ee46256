import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseBudgetAmounts } from '#core/shared/budgets.ts'
import { buildBudgets } from '#server/platform/budgets/budgets.ts'
import type { Database } from '#server/platform/db/database.ts'
import { MailRefusedError } from '#server/ports/mailer.ts'
import { TEST_MONDAY } from '#tests/support/meridian.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { toPseudonym } from '#tests/support/to-pseudonym.ts'
import { UNLIMITED_EMAIL_DEPS } from '#tests/support/uncounted-mails.ts'
import { spendMailBudgets } from './spend-mail-budgets.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const DAY_LATER = new Date(TEST_MONDAY + 24 * 3_600_000)
let owners = 0

test('a message that is held back for one budget uses none of the others', async () => {
  const take = makeTaker('email_owner=3,email_recipient=1')
  expect((await take('grace')).wait).toBeNull()
  for (let i = 0; i < 5; i += 1) {
    expect((await take('grace')).wait).toEqual({ reason: 'email_recipient', until: DAY_LATER })
  }
  expect((await take('alan')).wait).toBeNull()
  expect((await take('ada')).wait).toBeNull()
  expect((await take('kurt')).wait).toEqual({ reason: 'email_owner', until: DAY_LATER })
})

test('what could not be handed over does not count, and what was refused for good does', async () => {
  const take = makeTaker('email_owner=1')
  for (let i = 0; i < 3; i += 1) {
    const room = await take(`unreachable ${i}`)
    if (room.wait !== null) throw new Error('there was room before')
    await room.uncountAfter(new Error('connect ECONNREFUSED'))
  }
  const room = await take('nobody')
  if (room.wait !== null) throw new Error('nothing was sent')
  await room.uncountAfter(new MailRefusedError({ code: 550, command: 'RCPT', words: 'who?', isFinal: true }))
  expect((await take('grace')).wait).toMatchObject({ reason: 'email_owner' })
})

test('an operator who sets an amount to nothing has every message looked at again after a minute', async () => {
  const take = makeTaker('email_owner=0')
  expect((await take('grace')).wait).toEqual({ reason: 'email_owner', until: new Date(TEST_MONDAY + 60_000) })
})

/** Returns a function that counts messages which a new owner causes. */
function makeTaker(budgetsSetting: string) {
  const budgets = buildBudgets({
    db: database.db,
    now: () => TEST_MONDAY,
    log: { warn: () => {} },
    amounts: parseBudgetAmounts(budgetsSetting).amounts,
    metrics: new Registry(),
    toPseudonym,
  })
  owners += 1
  const sender = { ownerId: `owner ${owners}`, email: 'owner@example.com', standing: 'new' } as const
  return (recipientKey: string) =>
    spendMailBudgets(
      { ...UNLIMITED_EMAIL_DEPS, budgets, now: () => TEST_MONDAY },
      {
        sender,
        calendarId: 'calendar',
        recipientKey: `${owners} ${recipientKey}`,
        causedBy: 'owner',
        isToOwner: false,
        isFirstWord: false,
        isKnown: false,
      },
    )
}
