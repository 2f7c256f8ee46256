import { expect, test } from 'vitest'
import { isConfidentialProfession } from './confidential-profession.ts'

test.each([
  'Therapist',
  'Doctor',
  'Lawyer',
  'Psychotherapeutin',
  'Physiotherapie',
  'Zahnärztin',
  'Rechtsanwälte',
  'ATTORNEY AT LAW',
  'Solicitor',
  'Family counsellor',
  'Médecin généraliste',
  'Abogada',
  'Dental hygiene',
])('%s is a profession that keeps its customers a secret', (category) => {
  expect(isConfidentialProfession(category)).toBe(true)
})

test.each(['Consultant', 'Coach', 'Teacher', 'Designer', 'Developer', 'Hairdresser', 'Lawn care', '', null])(
  '%j is none',
  (category) => {
    expect(isConfidentialProfession(category)).toBe(false)
  },
)
