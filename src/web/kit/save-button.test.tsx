// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type FormEvent, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { TextField } from '#web/ui/field.tsx'
import { SaveButton } from './save-button.tsx'

test('once it has saved it keeps the focus and does nothing more', async () => {
  const onSave = vi.fn()
  render(<Form onSave={onSave} />)
  const button = screen.getByRole('button', { name: 'Save' })
  expect(button.getAttribute('aria-disabled')).toBeNull()
  await userEvent.click(button)
  expect(onSave).toHaveBeenCalledTimes(1)
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(document.activeElement).toBe(button)
  await userEvent.click(button)
  await userEvent.type(screen.getByLabelText('Name'), '{Enter}')
  expect(onSave).toHaveBeenCalledTimes(1)
})

function Form({ onSave }: { onSave: () => void }) {
  const [isEdited, setEdited] = useState(true)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave()
    setEdited(false)
  }
  return (
    <form onSubmit={submit}>
      <TextField label="Name" />
      <SaveButton isEdited={isEdited} pending={false}>
        Save
      </SaveButton>
    </form>
  )
}
