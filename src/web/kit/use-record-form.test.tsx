// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { findDraft } from '#web/shared/draft.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { TextField } from '#web/ui/field.tsx'
import { FormNotices } from './form-notices.tsx'
import { useRecordForm } from './use-record-form.ts'

type Room = { readonly name: string; readonly code: string }

const STORED: Room = { name: 'Attic', code: '' }
const KEY = 'room:1'

describe('typed text', () => {
  test('is kept while another page is open, without what `keep` leaves out, and can be discarded later', async () => {
    const { user } = renderComponent(<RoomForm />)
    await type(user, ' 2', ' secret')
    cleanup()
    expect(findDraft(KEY)).toEqual({ values: { name: 'Attic 2', code: '' }, shown: STORED })
    const back = renderComponent(<RoomForm />)
    expect(nameField()).toHaveProperty('value', 'Attic 2')
    await back.user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(nameField()).toHaveProperty('value', 'Attic')
    expect(findDraft(KEY)).toBeUndefined()
  })

  test('is kept for the login only where the form says so, with the record that it was typed over', async () => {
    const send = vi.fn().mockRejectedValue(refusal('auth.required'))
    const { user } = renderComponent(<RoomForm keepFor="login" send={send} />)
    await type(user, ' 2', ' secret')
    expect(findDraft(KEY)).toBeUndefined()
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(PROBLEMS['auth.required'].title)).toBeDefined()
    cleanup()
    expect(findDraft(KEY)).toEqual({ values: { name: 'Attic 2', code: '' }, shown: STORED })

    // The record has changed on the server since. The form still compares the sent values with those it showed first.
    const sendAgain = vi.fn().mockImplementation(async (room: Room) => room)
    const back = renderComponent(
      <RoomForm keepFor="login" stored={{ name: 'Cellar', code: '' }} send={sendAgain} />,
    )
    expect(nameField()).toHaveProperty('value', 'Attic 2')
    // A dialog closes by its own button, so it has no Discard button.
    expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull()
    await back.user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('saved')
    expect(sendAgain).toHaveBeenCalledWith({ name: 'Attic 2', code: '' }, STORED)
    expect(findDraft(KEY)).toBeUndefined()
  })

  test('that was kept for the login is forgotten when the form is given up', async () => {
    const send = vi.fn().mockRejectedValue(refusal('auth.required'))
    const { user } = renderComponent(<RoomForm keepFor="login" send={send} />)
    await type(user, ' 2', '')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText(PROBLEMS['auth.required'].title)
    expect(findDraft(KEY)).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Give up' }))
    expect(findDraft(KEY)).toBeUndefined()
  })
})

test('what `check` finds is said under its field, and nothing is sent', async () => {
  const send = vi.fn()
  const check = (typed: Room, shown: Room | null) =>
    typed.name === shown?.name ? null : { field: 'code' as const, message: 'Another name needs the code.' }
  const { user } = renderComponent(<RoomForm check={check} send={send} />)
  await type(user, ' 2', '')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Another name needs the code.')).toBeDefined()
  expect(document.activeElement).toBe(screen.getByLabelText('Code'))
  expect(send).not.toHaveBeenCalled()
})

test('saved, the form shows what `send` returns: null is an empty form for the next record', async () => {
  const { user } = renderComponent(<RoomForm stored={null} send={async () => null} />)
  await user.type(nameField(), 'Attic')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('saved')
  expect(nameField()).toHaveProperty('value', '')
  expect(findDraft(KEY)).toBeUndefined()
})

test('each change of another window comes into view and takes the focus before it can be overwritten', async () => {
  const scroll = vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockReturnValue()
  const send = vi.fn().mockRejectedValue(refusal('request.changed_meanwhile'))
  const readAgain = vi
    .fn()
    .mockResolvedValueOnce({ name: 'Cellar', code: '' })
    .mockResolvedValue({ name: 'Kitchen', code: '' })
  const { user } = renderComponent(<RoomForm send={send} readAgain={readAgain} />)
  await type(user, ' 2', '')
  for (const stored of ['Cellar', 'Kitchen']) {
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const notice = (await screen.findByText(stored)).closest<HTMLElement>('[tabindex]')
    expect(notice?.textContent).toContain(PROBLEMS['request.changed_meanwhile'].title)
    await waitFor(() => expect(document.activeElement).toBe(notice))
    expect(scroll.mock.contexts.at(-1)).toBe(notice)
    expect(scroll).toHaveBeenLastCalledWith({ behavior: 'smooth', block: 'start' })
  }
  // Once the user has seen the notice, further typing does not move the focus or the page again.
  const calls = scroll.mock.calls.length
  await user.type(nameField(), '!')
  expect(document.activeElement).toBe(nameField())
  expect(scroll).toHaveBeenCalledTimes(calls)
})

test('where motion is not wanted the change of another window is in view at once', async () => {
  const scroll = vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockReturnValue()
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query.includes('reduced-motion: reduce') }))
  const send = vi.fn().mockRejectedValue(refusal('request.changed_meanwhile'))
  const { user } = renderComponent(<RoomForm send={send} />)
  await type(user, ' 2', '')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(PROBLEMS['request.changed_meanwhile'].title)
  await waitFor(() => expect(scroll).toHaveBeenCalledWith({ behavior: 'auto', block: 'start' }))
})

test('a record that is gone when it is read again is refused like any other', async () => {
  const send = vi.fn().mockRejectedValue(refusal('request.changed_meanwhile'))
  const { user } = renderComponent(<RoomForm send={send} readAgain={async () => undefined} />)
  await type(user, ' 2', '')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  const sentence = PROBLEMS['request.changed_meanwhile'].title
  expect(await screen.findByText(`Not saved: ${sentence}`)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Use the saved version' })).toBeNull()
  expect(nameField()).toHaveProperty('value', 'Attic 2')
})

type RoomFormOptions = Parameters<typeof useRecordForm<Room | null, Room>>[0]

function RoomForm({
  stored = STORED,
  send = async (room) => room,
  readAgain = async () => STORED,
  ...options
}: Partial<RoomFormOptions>) {
  const [isSaved, setSaved] = useState(false)
  const record = useRecordForm<Room | null, Room>({
    stored,
    draftKey: KEY,
    schema: z.object({ name: z.string(), code: z.string() }),
    show: (room) => room ?? { name: '', code: '' },
    keep: (room) => ({ ...room, code: '' }),
    send,
    readAgain,
    onSaved: () => setSaved(true),
    failed: (sentence) => `Not saved: ${sentence}`,
    ...options,
  })
  const { errors } = record.form.formState
  return (
    <form noValidate onSubmit={record.save}>
      <FormNotices record={record} labels={{ name: 'Name' }} />
      <TextField label="Name" {...record.form.register('name')} />
      <TextField label="Code" error={errors.code?.message} {...record.form.register('code')} />
      <button type="submit">Save</button>
      <button type="button" onClick={record.giveUp}>
        Give up
      </button>
      {isSaved && <p>saved</p>}
    </form>
  )
}

function nameField(): HTMLElement {
  return screen.getByLabelText('Name')
}

async function type(
  user: ReturnType<typeof renderComponent>['user'],
  name: string,
  code: string,
): Promise<void> {
  await user.type(nameField(), name)
  if (code !== '') await user.type(screen.getByLabelText('Code'), code)
}

function refusal(code: ProblemCode): ApiProblem {
  return new ApiProblem({ code, status: PROBLEMS[code].status, title: PROBLEMS[code].title })
}
