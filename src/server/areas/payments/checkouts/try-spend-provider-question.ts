import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'

/**
 * Whether a provider may be asked once more about the payment of an appointment for somebody who has its link. Ten
 * thousand such requests would be ten thousand questions with the owner's account. Source: rule H13.
 */
export async function trySpendProviderQuestion(
  { budgets }: Pick<CheckoutsDeps, 'budgets'>,
  { id }: AppointmentKey,
): Promise<boolean> {
  return (await budgets.take([{ budget: 'payment_questions', subject: id }])) === null
}
