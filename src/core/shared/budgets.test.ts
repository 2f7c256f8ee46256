import { expect, test } from 'vitest'
import { BUDGETS, parseBudgetAmounts } from './budgets.ts'

test('without the setting, the amounts of the table apply', () => {
  const { amounts, mistakes } = parseBudgetAmounts('')
  expect(mistakes).toEqual([])
  expect(amounts).toEqual(Object.fromEntries(Object.entries(BUDGETS).map(([name, { max }]) => [name, max])))
})

test('an operator can change the amount of one budget', () => {
  expect(parseBudgetAmounts(' webhook_checks = 7 ').amounts.webhook_checks).toBe(7)
})

test('every mistake in the setting is reported', () => {
  expect(parseBudgetAmounts('webhook_checks=many,unknown=3,toString=4').mistakes).toEqual([
    'needs name=amount, and has “webhook_checks=many”',
    'has no budget “unknown”',
    'has no budget “toString”',
  ])
})
