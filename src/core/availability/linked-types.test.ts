import { expect, test } from 'vitest'
import { listTypesForLink } from './linked-types.ts'

const TYPES = [
  { id: 'listed', is_listed: true },
  { id: 'by-link', is_listed: false },
  { id: 'other', is_listed: true },
]

test.each([
  ['without a link', null, ['listed', 'other']],
  ['with the link of a listed type', 'listed', ['listed', 'other']],
  ['with the link of a type by link only', 'by-link', ['by-link']],
  ['with a link that names no type', 'removed', ['listed', 'other']],
])('customers choose from these types %s. Source: rules T65 and T66', (_case, link, ids) => {
  expect(listTypesForLink(TYPES, link).map(({ id }) => id)).toEqual(ids)
})
