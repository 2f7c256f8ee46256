import { expect, test } from 'vitest'
import { toAppointmentSearch } from './appointment-search.ts'

test.each(['', '   ', '#', 'Client #'])('%j looks for nothing', (typed) => {
  expect(toAppointmentSearch(typed)).toBeNull()
})

test.each([
  ['Ada', { text: 'Ada', phoneDigits: null, referencePrefix: null }],
  ['  ada   lovelace ', { text: 'ada lovelace', phoneDigits: null, referencePrefix: null }],
  ['Client #C17640', { text: 'C17640', phoneDigits: null, referencePrefix: null }],
  ['BK-1764', { text: 'BK-1764', phoneDigits: null, referencePrefix: 'BK-1764' }],
  ['bk1764000', { text: 'bk1764000', phoneDigits: null, referencePrefix: 'BK-1764000' }],
  ['1764', { text: '1764', phoneDigits: '1764', referencePrefix: 'BK-1764' }],
  ['BK-176', { text: 'BK-176', phoneDigits: null, referencePrefix: null }],
  ['020 7946', { text: '020 7946', phoneDigits: '207946', referencePrefix: null }],
  ['+44 (20) 79', { text: '+44 (20) 79', phoneDigits: '442079', referencePrefix: null }],
  ['07', { text: '07', phoneDigits: null, referencePrefix: null }],
  ['100%', { text: '100%', phoneDigits: null, referencePrefix: null }],
])('%j is understood', (typed, search) => {
  expect(toAppointmentSearch(typed)).toEqual(search)
})
