import { expect, test } from 'vitest'
import { listOutdatedBackups, toBackupName } from './backup-names.ts'

const DAY_MS = 86_400_000

function nameAt(day: string, time = '03:23'): string {
  return toBackupName(new Date(`${day}T${time}:00Z`))
}

test('of a backup each night for two months, those of the last seven days and of four weeks are kept', () => {
  // It ends on a Wednesday, March 3.
  const end = Date.parse('2027-03-03T03:23:00Z')
  const names = Array.from({ length: 60 }, (_, i) => toBackupName(new Date(end - i * DAY_MS)))
  const outdated = new Set(listOutdatedBackups(names))
  expect(names.filter((name) => !outdated.has(name))).toEqual([
    nameAt('2027-03-03'),
    nameAt('2027-03-02'),
    nameAt('2027-03-01'),
    nameAt('2027-02-28'),
    nameAt('2027-02-27'),
    nameAt('2027-02-26'),
    nameAt('2027-02-25'),
    // The Sundays of the weeks before.
    nameAt('2027-02-21'),
    nameAt('2027-02-14'),
  ])
})

test('of several on a day the latest is kept, and days without one do not count', () => {
  const names = [nameAt('2027-03-03', '01:00'), nameAt('2027-03-03', '23:59'), nameAt('2026-01-01')]
  expect(listOutdatedBackups(names)).toEqual([nameAt('2027-03-03', '01:00')])
})

test('no other file is ever outdated', () => {
  const others = [
    'notes.txt',
    'meridian-2020-01-01.backup',
    'my-meridian-2020-01-01-0300.backup',
    'meridian-2020-01-01-0300.backup.untested',
  ]
  const many = Array.from({ length: 40 }, (_, i) =>
    toBackupName(new Date(Date.parse('2027-03-03') - i * DAY_MS)),
  )
  const outdated = listOutdatedBackups([...others, ...many])
  expect(outdated.length).toBeGreaterThan(25)
  expect(outdated.filter((name) => others.includes(name))).toEqual([])
})
