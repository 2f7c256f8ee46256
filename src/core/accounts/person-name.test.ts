import { expect, test } from 'vitest'
import { initialsOf, splitName } from './person-name.ts'

test.each([
  ['Ada Example', '', 'Ada', 'Example', 'AE'],
  ['Dr. Ada Example', 'Dr.', 'Ada', 'Example', 'AE'],
  ['dr Ada Example', 'dr', 'Ada', 'Example', 'AE'],
  ['Prof. Dr. med. Ada van Example', 'Prof. Dr. med.', 'Ada', 'van Example', 'AE'],
  ['Dr. h.c. Ada Example', 'Dr. h.c.', 'Ada', 'Example', 'AE'],
  ['Dipl.-Psych. Ada Example', 'Dipl.-Psych.', 'Ada', 'Example', 'AE'],
  ['Dipl. Psych. Ada Example', 'Dipl. Psych.', 'Ada', 'Example', 'AE'],
  ['Mag. Ada Example', 'Mag.', 'Ada', 'Example', 'AE'],
  ['Ms Ada Example', 'Ms', 'Ada', 'Example', 'AE'],
  ['Frau Dr. Ada Example', 'Frau Dr.', 'Ada', 'Example', 'AE'],
  ['Frau Example', 'Frau', '', 'Example', 'E'],
  ['Mag Example', '', 'Mag', 'Example', 'ME'],
  ['M. Night Example', '', 'M.', 'Night Example', 'ME'],
  ['Ada Example-Sample', '', 'Ada', 'Example-Sample', 'AE'],
  ['Ada-Maria O’Example', '', 'Ada-Maria', 'O’Example', 'AO'],
  ['Ada Example, MD', '', 'Ada', 'Example, MD', 'AE'],
  ['Ada', '', 'Ada', '', 'A'],
  ['Dr.', '', 'Dr.', '', 'D'],
  ['Harbour Practice', '', 'Harbour', 'Practice', 'HP'],
  ['', '', '', '', ''],
])(
  '%j has the title %j, the first name %j, the last name %j and the initials %j',
  (name, title, firstName, lastName, initials) => {
    expect(splitName(name)).toEqual({ title, firstName, lastName })
    expect(initialsOf(name)).toBe(initials)
  },
)
