import { calendarParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { listTransactionsQuery, paymentsOverviewResponse, transactionsResponse } from './transactions.ts'

/** Operations on a calendar's payments. */
export const transactionOperations = defineOperations({
  listTransactions: {
    address: at.listTransactions,
    summary: 'Payments of a calendar, newest first',
    tag: 'Payments',
    forOwners: true,
    params: calendarParams,
    query: listTransactionsQuery,
    answers: { 200: transactionsResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  getMoneyOverview: {
    address: at.getMoneyOverview,
    summary: 'Payments, refunds and unpaid amounts of a calendar, by month',
    tag: 'Payments',
    forOwners: true,
    params: calendarParams,
    answers: { 200: paymentsOverviewResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
})
