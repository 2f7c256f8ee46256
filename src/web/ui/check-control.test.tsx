// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { Checkbox } from './checkbox.tsx'
import { Switch } from './switch.tsx'

test('a switch is a switch to assistive technology, and its label turns it', async () => {
  const asked: boolean[] = []
  render(
    <Switch label="Auto Sync" hint="Every few minutes." checked={false} onChange={(on) => asked.push(on)} />,
  )
  await userEvent.click(screen.getByText('Auto Sync'))
  await userEvent.click(screen.getByRole('switch', { name: 'Auto Sync', checked: false }))
  expect(asked).toEqual([true, true])
})

test('a checkbox that is disabled does not change', async () => {
  const asked: boolean[] = []
  render(<Checkbox label="Online" checked disabled onChange={(on) => asked.push(on)} />)
  await userEvent.click(screen.getByText('Online'))
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Online' }).checked).toBe(true)
  expect(asked).toEqual([])
})
