import type { ComponentProps } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Switch } from '#web/ui/switch.tsx'

type FormSwitchProps<Values extends FieldValues, Output> = Omit<
  ComponentProps<typeof Switch>,
  'checked' | 'onChange' | 'name'
> & {
  control: Control<Values, unknown, Output>
  name: FieldPath<Values>
}

/** A switch for a boolean field of a form. */
export function FormSwitch<Values extends FieldValues, Output>(props: FormSwitchProps<Values, Output>) {
  const { control, name, ...look } = props
  const { field } = useController({ control, name })
  return <Switch {...look} checked={Boolean(field.value)} onChange={field.onChange} />
}

/** A checkbox for a boolean field of a form. */
export function FormCheckbox<Values extends FieldValues, Output>(props: FormSwitchProps<Values, Output>) {
  const { control, name, ...look } = props
  const { field } = useController({ control, name })
  return <Checkbox {...look} checked={Boolean(field.value)} onChange={field.onChange} />
}
