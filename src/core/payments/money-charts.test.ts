import { expect, test } from 'vitest'
import { toMoneyCharts } from './money-charts.ts'

const MONTHS = ['2026-11', '2026-12']

test('each currency has a chart with every month, followed by one for simulated payments', () => {
  const moved = [
    { month: '2026-12', currency: 'USD', isSandbox: false, takenCents: 500, refundedCents: 0 },
    { month: '2026-11', currency: 'EUR', isSandbox: true, takenCents: 8_000, refundedCents: 8_000 },
    { month: '2026-11', currency: 'EUR', isSandbox: false, takenCents: 9_000, refundedCents: 100 },
  ]
  const owed = [{ month: '2026-12', currency: 'EUR', outstandingCents: 4_500 }]
  expect(toMoneyCharts(MONTHS, moved, owed)).toEqual([
    {
      currency: 'EUR',
      isSandbox: false,
      months: [
        { month: '2026-11', takenCents: 9_000, refundedCents: 100, outstandingCents: 0 },
        { month: '2026-12', takenCents: 0, refundedCents: 0, outstandingCents: 4_500 },
      ],
    },
    {
      currency: 'USD',
      isSandbox: false,
      months: [
        { month: '2026-11', takenCents: 0, refundedCents: 0, outstandingCents: 0 },
        { month: '2026-12', takenCents: 500, refundedCents: 0, outstandingCents: 0 },
      ],
    },
    {
      currency: 'EUR',
      isSandbox: true,
      months: [
        { month: '2026-11', takenCents: 8_000, refundedCents: 8_000, outstandingCents: 0 },
        { month: '2026-12', takenCents: 0, refundedCents: 0, outstandingCents: 0 },
      ],
    },
  ])
})

test('simulated payments are never outstanding, and there is no chart without payments', () => {
  const pretended = [{ month: '2026-12', currency: 'EUR', isSandbox: true, takenCents: 1, refundedCents: 0 }]
  const owed = [{ month: '2026-12', currency: 'EUR', outstandingCents: 2 }]
  const [real, sandbox] = toMoneyCharts(MONTHS, pretended, owed)
  expect(real?.months[1]?.outstandingCents).toBe(2)
  expect(sandbox?.months[1]?.outstandingCents).toBe(0)
  expect(toMoneyCharts(MONTHS, [], [{ month: '2026-12', currency: 'EUR', outstandingCents: 0 }])).toEqual([])
})
