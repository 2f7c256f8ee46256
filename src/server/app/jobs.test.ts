import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import {
  CALENDAR_CHANNELS,
  CALENDAR_CHANNELS_CRON,
  CALENDAR_POLL,
  CALENDAR_POLL_CRON,
} from '#server/areas/external-calendars/connections/job-definitions.ts'
import {
  WAITING_EVENTS,
  WAITING_EVENTS_CRON,
} from '#server/areas/external-calendars/events/job-definitions.ts'
import {
  HOLD_SWEEP,
  HOLD_SWEEP_CRON,
  PAYMENT_INQUIRY,
  PAYMENT_INQUIRY_CRON,
} from '#server/areas/payments/checkouts/job-definitions.ts'
import {
  PLAN_COMPARISON,
  PLAN_COMPARISON_CRON,
  PLAN_SETTLEMENT,
  PLAN_SETTLEMENT_CRON,
} from '#server/areas/plans/billing/job-definitions.ts'
import { WAITING_SWEEP, WAITING_SWEEP_CRON } from '#server/areas/waiting-list/job-definitions.ts'
import { DELIVERY_PROBLEMS, DELIVERY_PROBLEMS_CRON } from '#server/messages/queue/delivery-jobs.ts'
import {
  REMINDERS,
  REMINDERS_CRON,
  WAITING_MESSAGES,
  WAITING_MESSAGES_CRON,
} from '#server/messages/queue/due-jobs.ts'
import { HOUSEKEEPING, HOUSEKEEPING_CRON } from '#server/records/housekeeping/jobs.ts'
import { JOBS } from './jobs.ts'

const CRONS = new Map([
  [HOLD_SWEEP.name, HOLD_SWEEP_CRON],
  [PAYMENT_INQUIRY.name, PAYMENT_INQUIRY_CRON],
  [REMINDERS.name, REMINDERS_CRON],
  [WAITING_EVENTS.name, WAITING_EVENTS_CRON],
  [DELIVERY_PROBLEMS.name, DELIVERY_PROBLEMS_CRON],
  [CALENDAR_POLL.name, CALENDAR_POLL_CRON],
  [CALENDAR_CHANNELS.name, CALENDAR_CHANNELS_CRON],
  [PLAN_SETTLEMENT.name, PLAN_SETTLEMENT_CRON],
  [PLAN_COMPARISON.name, PLAN_COMPARISON_CRON],
  [HOUSEKEEPING.name, HOUSEKEEPING_CRON],
  [WAITING_MESSAGES.name, WAITING_MESSAGES_CRON],
  [WAITING_SWEEP.name, WAITING_SWEEP_CRON],
])

test('the table of jobs for operators has a row for each kind there is, with its retries and its hours', async () => {
  const text = await readFile('docs/operations/jobs.md', 'utf8')
  const rows = text.split('\n').filter((line) => /^\| `[a-z-]+` \|/.test(line))
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()))
  expect(cells.map(([, name]) => name).sort()).toEqual(JOBS.map(({ name }) => `\`${name}\``).sort())
  for (const job of JOBS) {
    const [, , cause, retries] = cells.find(([, name]) => name === `\`${job.name}\``) ?? []
    expect(retries, job.name).toMatch(job.retryLimit === 0 ? /^none$/ : new RegExp(`\\b${job.retryLimit}\\b`))
    const cron = CRONS.get(job.name)
    if (cron !== undefined) expect(cause, job.name).toContain(`\`${cron}\` UTC`)
  }
})
