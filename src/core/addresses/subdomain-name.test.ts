import { expect, test } from 'vitest'
import { isReservedSubdomain, listSubdomainCandidates } from './subdomain-name.ts'

test('candidates are the name, the name with a number, and the slug (rule I3)', () => {
  const labels = listSubdomainCandidates({ name: 'Zoë’s Praxis', slug: 'zoe' })
  expect(labels.slice(0, 3)).toEqual(['zoes-praxis', 'zoes-praxis-2', 'zoes-praxis-3'])
  expect(labels.at(-1)).toBe('zoe')
})

test('a name without ASCII letters gets its slug', () => {
  expect(listSubdomainCandidates({ name: '整体院', slug: 'calendar-1a2b3c4d' })).toEqual([
    'calendar-1a2b3c4d',
  ])
})

test('reserved words are never offered', () => {
  for (const name of ['Admin', 'www', 'Mail', 'ns1', 'Autodiscover', 'API']) {
    const labels = listSubdomainCandidates({ name, slug: 'dr-grey' })
    expect(labels.filter(isReservedSubdomain)).toEqual([])
  }
})

test('a long name with a number is still a valid DNS label', () => {
  for (const label of listSubdomainCandidates({ name: 'a'.repeat(100), slug: 'a' })) {
    expect(label.length).toBeLessThanOrEqual(60)
  }
})
