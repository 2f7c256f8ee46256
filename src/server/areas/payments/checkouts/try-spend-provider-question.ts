import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'

/**
 * Spends one question to the provider about an appointment's payment; false when the budget is exhausted. The questions use the
 * owner's account, so a customer with the link must not cause thousands of them. Source: rule H13.
 */
export async function trySpendProviderQuestion(
  { budgets }: Pick<CheckoutsDeps, 'budgets'>,
  { id }: AppointmentKey,
): Promise<boolean> {
  return (await budgets.spend([{ budget: 'payment_questions', subject: id }])) === null
}
