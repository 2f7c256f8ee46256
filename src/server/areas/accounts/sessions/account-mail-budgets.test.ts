import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { parseBudgetAmounts } from '#core/shared/budgets.ts'
import type { AccountMail } from '#server/platform/auth/auth.ts'
import { buildBudgets } from '#server/platform/budgets/budgets.ts'
import { MAIL_ORIGIN } from '#tests/support/appointment-mail-facts.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeOwner, TEST_PASSWORD } from '#tests/support/meridian.ts'
import { queryNumber } from '#tests/support/race-track.ts'
import { toPseudonym } from '#tests/support/to-pseudonym.ts'
import { sendAccountMail } from './jobs.ts'

setUpMeridian({ env: { BUDGETS: 'email_account_recipient=2,email_account_notice=1' } })

test('of the links to reset a password that somebody asks for in the name of others, an address gets so many in a day, and no answer tells', async () => {
  const owner = await makeOwner(meridian)
  const answers = new Set<string>()
  for (let i = 0; i < 6; i += 1) {
    const { statusCode, body } = await post('password-reset-request', { email: owner.email })
    answers.add(`${statusCode} ${body}`)
  }
  expect([...answers]).toHaveLength(1)
  await finishAccountMails()
  expect(mailsTo(owner.email)).toHaveLength(2)
  expect(meridian.logLines.join('\n')).toContain('"budget":"email_account_recipient"')
  // Strangers who use up the email limit must not stop a warning to the owner.
  const url = '/api/security/password'
  const payload = { current_password: TEST_PASSWORD, new_password: 'another correct horse' }
  const changed = await owner.post(url, payload)
  expect(changed.statusCode, changed.body).toBeLessThan(300)
  await finishAccountMails()
  expect(mailsTo(owner.email).map(({ subject }) => subject)).toContain('Your password was changed')
})

test('every spelling of an address is one, for registrations too', async () => {
  for (let i = 0; i < 5; i += 1) {
    const payload = { full_name: 'Grace Hopper', email: `grace+${i}@example.com`, password: TEST_PASSWORD }
    const answer = await post('sign-up', payload)
    expect(answer.statusCode, answer.body).toBeLessThan(300)
  }
  await finishAccountMails()
  expect(meridian.mails.filter(({ to }) => to.address.startsWith('grace+'))).toHaveLength(2)
})

test('an account mail that could not be handed over does not count, and is the same mail later', async () => {
  const mail: AccountMail = { kind: 'password_reset', email: 'alan@example.com', name: 'Alan', token: 't' }
  let fails = true
  const sent: string[] = []
  const mailer = {
    send: async ({ messageId }: { messageId: string }) => {
      if (fails) throw new Error('connect ECONNREFUSED')
      sent.push(messageId)
    },
    close: async () => {},
  }
  const budgets = buildBudgets({
    db: meridian.database.db,
    now: () => meridian.clock.ms,
    log: { warn: () => {} },
    amounts: parseBudgetAmounts('email_account_recipient=1').amounts,
    metrics: new Registry(),
    toPseudonym,
  })
  const deps = { ...meridian.deps, budgets, mailer, origin: MAIL_ORIGIN }
  for (let i = 0; i < 5; i += 1) await expect(sendAccountMail(deps, mail, 'job')).rejects.toThrow('ECONN')
  fails = false
  await sendAccountMail(deps, mail, 'job')
  expect(sent).toEqual(['<job.password-reset@book.example>'])
})

function post(operation: string, payload: object) {
  return meridian.post(`/api/auth/${operation}`, payload)
}

function mailsTo(address: string) {
  return meridian.mails.filter(({ to }) => to.address === address)
}

async function finishAccountMails(): Promise<void> {
  const open =
    "select count(*) from pgboss.job where name in ('account-request', 'account-mail') and state not in ('completed', 'failed')"
  await expect.poll(() => queryNumber(meridian.database, open), { timeout: 20_000 }).toBe(0)
}
