// @vitest-environment happy-dom
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Dialog } from './dialog.tsx'
import { SuggestField, type Suggestion } from './suggest-field.tsx'

const WALTER = { id: '1', label: 'Walter Walkin' }

function Field({ suggestions }: { suggestions: readonly Suggestion[] }) {
  return (
    <>
      <SuggestField
        label="Customer"
        value="Walter"
        onChange={() => {}}
        suggestions={suggestions}
        onPick={() => {}}
      />
      <button type="button">Next</button>
    </>
  )
}

test('what is found while somebody types is offered', async () => {
  const { rerender } = render(<Field suggestions={[]} />)
  await userEvent.type(screen.getByRole('combobox', { name: 'Customer' }), 'W')
  rerender(<Field suggestions={[WALTER]} />)
  expect(await screen.findByRole('option', { name: 'Walter Walkin' })).toBeTruthy()
})

test('what is found after they went on does not open over it', async () => {
  const { rerender } = render(<Field suggestions={[]} />)
  await userEvent.type(screen.getByRole('combobox', { name: 'Customer' }), 'W')
  await userEvent.click(screen.getByRole('button', { name: 'Next' }))
  rerender(<Field suggestions={[WALTER]} />)
  expect(screen.queryByRole('option')).toBeNull()
})

test('Escape keeps the typed text, whether the list is open or closed', async () => {
  const texts: string[] = []
  render(
    <SuggestField
      label="Category"
      value="Psychotherapist"
      onChange={(text) => texts.push(text)}
      suggestions={[]}
      onPick={() => {}}
    />,
  )
  await userEvent.click(screen.getByRole('combobox', { name: 'Category' }))
  await userEvent.keyboard('{Escape}{Escape}')
  expect(texts).toEqual([])
})

test('in a dialog, the first Escape closes the list and the second one the dialog', async () => {
  const onOpenChange = vi.fn()
  render(
    <Dialog open onOpenChange={onOpenChange} title="New appointment">
      <Field suggestions={[WALTER]} />
    </Dialog>,
  )
  await userEvent.type(screen.getByRole('combobox', { name: 'Customer' }), 'W')
  await screen.findByRole('option', { name: 'Walter Walkin' })
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('option')).toBeNull())
  expect(onOpenChange).not.toHaveBeenCalled()
  await userEvent.keyboard('{Escape}')
  expect(onOpenChange).toHaveBeenCalledWith(false)
})
