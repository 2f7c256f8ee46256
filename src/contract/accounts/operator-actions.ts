import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { idSchema, instantSchema } from '#contract/shared/primitives.ts'

/** What the operator of the installation did to an account (rule U37). */
const OPERATOR_ACTIONS = [
  'invited',
  'unlocked',
  'unlock_undone',
  'second_factor_removed',
  'plan_given',
  'emails_sent_again',
] as const

export const operatorActionSchema = componentSchema('OperatorAction', {
  id: idSchema,
  at: instantSchema,
  action: z.enum(OPERATOR_ACTIONS),
  /** The plan that was given, or the number of emails that were sent again; null for other actions. */
  detail: z.string().nullable(),
})
export type OperatorAction = z.infer<typeof operatorActionSchema>

export const operatorActionsResponse = componentSchema('OperatorActions', {
  actions: z.array(operatorActionSchema),
})
