import { describe, expect, test } from 'vitest'
import { describeSeriesRule, findOfferedSeries, type SeriesTerms } from './series-rule.ts'

const RULE: NonNullable<SeriesTerms['series_rule']> = { every_weeks: [1, 4], most_dates: 12 }
const TERMS = { series_rule: RULE, hasPrice: false, requiresPayment: false, confirmsEmail: false }

describe('customers are offered', () => {
  test.each([
    ['the rule of the type', {}, RULE],
    ['nothing without a rule', { series_rule: null }, null],
    ['a series that is paid later', { hasPrice: true }, RULE],
    [
      'a free series where only appointments with a price are paid at booking',
      { requiresPayment: true },
      RULE,
    ],
    ['nothing that must be paid at booking', { hasPrice: true, requiresPayment: true }, null],
    ['8 dates before they confirm their email address', { confirmsEmail: true }, { ...RULE, most_dates: 8 }],
  ])('%s (rules B47 and B49)', (_case, changes, offered) => {
    expect(findOfferedSeries({ ...TERMS, ...changes })).toEqual(offered)
  })
})

test('a rule is said in a sentence', () => {
  expect(describeSeriesRule(RULE)).toBe(
    'Customers can repeat an appointment every week or every 4 weeks, up to 12 dates at once.',
  )
  expect(describeSeriesRule({ every_weeks: [1, 2, 4], most_dates: 2 })).toContain(
    'every week, every 2 weeks, or',
  )
})
