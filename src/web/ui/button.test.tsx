// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { Button } from './button.tsx'

test('a pending button says what is under way, keeps the focus, and does nothing more', async () => {
  let presses = 0
  const button = (pending: boolean) => (
    <Button pending={pending} pendingLabel="Creating..." onClick={() => presses++}>
      Create
    </Button>
  )
  const { rerender } = render(button(false))
  await userEvent.click(screen.getByRole('button', { name: 'Create' }))
  rerender(button(true))
  await userEvent.click(screen.getByRole('button', { name: 'Creating...' }))
  expect(presses).toBe(1)
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Creating...' }))
})

test('a form is not submitted a second time while its button is pending', async () => {
  let submissions = 0
  const form = (pending: boolean) => (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submissions++
      }}
    >
      <Button type="submit" pending={pending}>
        Book
      </Button>
    </form>
  )
  const { rerender } = render(form(false))
  await userEvent.click(screen.getByRole('button'))
  rerender(form(true))
  await userEvent.click(screen.getByRole('button'))
  expect(submissions).toBe(1)
})

test('a button inside a form does not submit it unless it is told to', () => {
  render(<Button>Add range</Button>)
  expect(screen.getByRole('button').getAttribute('type')).toBe('button')
})
