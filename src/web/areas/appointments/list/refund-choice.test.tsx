// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { UNCLEAR_AMOUNT_MESSAGE } from '#web/shared/parse-amount.ts'
import { makeAppointment } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { RefundChoice } from './refund-choice.tsx'

const RANGE = 'Please enter an amount from €0.00 to €40.00.'

test.each(['12,50', '12.50'])('another amount of %s gives back as much', async (typed) => {
  const { field, user, onChoose } = await openOther()
  // The field must not have the type "number", which drops a decimal comma: 12,50 would become 1250.
  expect(field).toHaveProperty('type', 'text')
  await user.type(field, typed)
  expect(onChoose).toHaveBeenLastCalledWith({ amount: 12.5, isValid: true })
})

test.each([
  ['1.234,50', UNCLEAR_AMOUNT_MESSAGE],
  ['12.505', UNCLEAR_AMOUNT_MESSAGE],
  ['40,01', RANGE],
])('another amount of %s is refused under its field', async (typed, sentence) => {
  const { field, user, onChoose } = await openOther()
  await user.type(field, typed)
  expect(screen.getByText(sentence)).toBeDefined()
  expect(onChoose.mock.lastCall?.[0]).toMatchObject({ isValid: false })
})

/** Chooses "Another amount" for an appointment whose policy promises no refund. */
async function openOther() {
  const onChoose = vi.fn()
  const appointment = makeAppointment({ payment_status: 'paid', price: 40 })
  const { user } = renderComponent(<RefundChoice appointment={appointment} onChoose={onChoose} />)
  await user.click(screen.getByRole('radio', { name: 'Another amount' }))
  return { user, onChoose, field: screen.getByLabelText(/^Amount, from/) }
}
