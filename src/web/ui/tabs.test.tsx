// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { Tabs } from './tabs.tsx'

afterEach(cleanup)

test('only the chosen panel is there, and another tab brings its own', async () => {
  render(<Settings />)
  expect(screen.getByRole('tabpanel').textContent).toBe('Danger Zone')
  await userEvent.click(screen.getByRole('tab', { name: 'Appointments' }))
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Appointments')
  expect(screen.getByRole('tabpanel').textContent).toBe('No appointments found')
})

function Settings() {
  const [tab, setTab] = useState<'general' | 'appointments'>('general')
  return (
    <Tabs
      tabs={[
        { id: 'general', label: 'General', panel: 'Danger Zone' },
        { id: 'appointments', label: 'Appointments', panel: 'No appointments found' },
      ]}
      value={tab}
      onChange={setTab}
    />
  )
}
