import { describe, expect, test } from 'vitest'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { PRODUCTION_SETTINGS } from '#tests/support/meridian.ts'
import { readConfig } from './config.ts'
import { findOperatorMailbox, toSitePageData } from './operator.ts'

const OPERATOR = { OPERATOR_NAME: 'Harbour Software', OPERATOR_EMAIL: 'desk@harbour.example' }

test('in the sandbox messages can be tried without an operator, and go to the operator where there is one', () => {
  expect(findOperatorMailbox(readConfig({}))).toEqual({ name: '', address: 'appointments@localhost' })
  expect(findOperatorMailbox(readConfig(OPERATOR))).toEqual({
    name: 'Harbour Software',
    address: 'desk@harbour.example',
  })
})

test('the pages are told what this installation has, and no other setting', () => {
  expect(toSitePageData(readConfig(OPERATOR))).toEqual({
    operator: {
      name: 'Harbour Software',
      address: [],
      email: 'desk@harbour.example',
      phone: null,
      phone_numbers: [],
    },
    sandbox: true,
    mailbox: true,
    registration: 'open',
    default_plan: 'free',
    contact_form: true,
    stripe: true,
  })
})

test.each([
  ['a mail server', false, { SMTP_URL: 'smtp://127.0.0.1:1' }],
  [
    'keys of Stripe',
    true,
    { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_CONNECT_CLIENT_ID: 'ca_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
  ],
])(
  'a sandbox with %s is not called a trial that nothing leaves; has a mailbox: %s',
  (_, mailbox, settings) => {
    expect(readConfig(settings).sandbox).toBe(true)
    expect(toSitePageData(readConfig(settings))).toMatchObject({ sandbox: false, mailbox })
  },
)

test('the pages know the plan of owners who bought none', () => {
  expect(toSitePageData(readConfig({ DEFAULT_PLAN: 'business' })).default_plan).toBe('business')
})

describe('in production without an address of the operator', () => {
  setUpMeridian({ env: { ...PRODUCTION_SETTINGS, OPERATOR_NAME: 'Harbour Software' } })

  test('no message is taken that nobody would read, and the pages know', async () => {
    const payload = { name: 'Alex Morgan', email: 'alex@mail.example', message: 'Can you help me?' }
    const answer = await meridian.post('/api/public/contact-messages', payload)
    expectRefusal(answer, 'contact.no_operator')
    expect(meridian.deps.site()).toMatchObject({ contact_form: false, sandbox: false, stripe: false })
  })

  test('the log says what is missing', () => {
    const [warning] = meridian.logLines.filter((line) => line.includes('who runs this installation'))
    expect(JSON.parse(warning ?? '{}')).toMatchObject({ missing: ['OPERATOR_ADDRESS', 'OPERATOR_EMAIL'] })
  })
})
