import { expect, test } from 'vitest'
import { matchesQuery } from './matches-query.ts'

const SAO_PAULO = { value: 'America/Sao_Paulo', label: 'São Paulo', keywords: 'Brazil BRT GMT-3' }

test.each(['', 'sao', 'SÃO', 'paulo sao', 'america sao_paulo', 'america/sao', 'brazil', 'gmt-3', '  paulo '])(
  'São Paulo is found by "%s"',
  (query) => {
    expect(matchesQuery(SAO_PAULO, query)).toBe(true)
  },
)

test.each(['lisbon', 'sao lisbon', 'gmt+3'])('São Paulo is not found by "%s"', (query) => {
  expect(matchesQuery(SAO_PAULO, query)).toBe(false)
})
