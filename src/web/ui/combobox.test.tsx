// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Combobox } from './combobox.tsx'

test('typing part of a name leaves the zones that match, and the keyboard chooses one', async () => {
  const chosen: string[] = []
  render(<TimeZone onChoose={(zone) => chosen.push(zone)} />)
  const input = screen.getByRole<HTMLInputElement>('combobox', { name: 'Time zone' })
  expect(input.value).toBe('London')
  await userEvent.clear(input)
  await userEvent.type(input, 'kath')
  expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual(['Kathmandu'])
  await userEvent.keyboard('{Enter}')
  expect(chosen).toEqual(['Asia/Kathmandu'])
  expect(input.value).toBe('Kathmandu')
})

test('what is typed after a press takes the place of the choice', async () => {
  render(<TimeZone onChoose={() => {}} />)
  const input = screen.getByRole<HTMLInputElement>('combobox', { name: 'Time zone' })
  await userEvent.click(input)
  await userEvent.keyboard('kath')
  expect(input.value).toBe('kath')
  expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual(['Kathmandu'])
})

test('words that match nothing are answered in words', async () => {
  render(<TimeZone onChoose={() => {}} />)
  const input = screen.getByRole('combobox', { name: 'Time zone' })
  await userEvent.clear(input)
  await userEvent.type(input, 'atlantis')
  expect(await screen.findByText('Nothing matches. Try another word.')).toBeTruthy()
  expect(screen.queryByRole('option')).toBeNull()
})

test('leaving the field with an unfinished word puts back what was chosen', async () => {
  const chosen: string[] = []
  render(<TimeZone onChoose={(zone) => chosen.push(zone)} />)
  const input = screen.getByRole<HTMLInputElement>('combobox', { name: 'Time zone' })
  await userEvent.clear(input)
  await userEvent.type(input, 'atlantis')
  await userEvent.keyboard('{Escape}')
  await userEvent.tab()
  expect(input.value).toBe('London')
  expect(chosen).toEqual([])
})

function TimeZone({ onChoose }: { onChoose: (zone: string) => void }) {
  const [zone, setZone] = useState('Europe/London')
  return (
    <Combobox
      label="Time zone"
      options={ZONES}
      value={zone}
      onChange={(next) => {
        setZone(next)
        onChoose(next)
      }}
    />
  )
}

const ZONES = [
  { value: 'Europe/London', label: 'London' },
  { value: 'Asia/Kathmandu', label: 'Kathmandu' },
  { value: 'America/New_York', label: 'New York' },
]
