import { expect, test } from 'vitest'
import { toAppointmentSearch } from './appointment-search.ts'

test.each(['', '   ', '#', 'Client #'])('%j is no search', (typed) => {
  expect(toAppointmentSearch(typed)).toBeNull()
})

test.each([
  ['Ada', { words: ['Ada'], phoneDigits: null, referencePrefix: null }],
  ['  ada   lovelace ', { words: ['ada', 'lovelace'], phoneDigits: null, referencePrefix: null }],
  ['BK 1764', { words: ['BK', '1764'], phoneDigits: null, referencePrefix: 'BK-1764' }],
  ['ada ada', { words: ['ada'], phoneDigits: null, referencePrefix: null }],
  ['Client #C17640', { words: ['C17640'], phoneDigits: null, referencePrefix: null }],
  ['BK-1764', { words: ['BK-1764'], phoneDigits: null, referencePrefix: 'BK-1764' }],
  ['bk1764000', { words: ['bk1764000'], phoneDigits: null, referencePrefix: 'BK-1764000' }],
  ['1764', { words: ['1764'], phoneDigits: '1764', referencePrefix: 'BK-1764' }],
  ['BK-176', { words: ['BK-176'], phoneDigits: null, referencePrefix: null }],
  ['020 7946', { words: ['020 7946'], phoneDigits: '207946', referencePrefix: null }],
  ['+44 (20) 79', { words: ['+44 (20) 79'], phoneDigits: '442079', referencePrefix: null }],
  ['07', { words: ['07'], phoneDigits: null, referencePrefix: null }],
  ['100%', { words: ['100%'], phoneDigits: null, referencePrefix: null }],
])('%j is understood', (typed, search) => {
  expect(toAppointmentSearch(typed)).toEqual(search)
})
