import { Button } from '#web/ui/button.tsx'

type FormButtonsProps = {
  /** The form, which these buttons stand outside of. */
  formId: string
  onCancel: () => void
  variant?: 'primary' | 'danger'
  disabled?: boolean
  pending: boolean
  pendingLabel: string
  /** The label of the button that sends the form. */
  children: string
}

/** The buttons below a dialog with a form: to give it up and to send it. */
export function FormButtons({ formId, onCancel, variant = 'primary', children, ...state }: FormButtonsProps) {
  return (
    <>
      <Button onClick={onCancel}>Cancel</Button>
      <Button type="submit" form={formId} variant={variant} {...state}>
        {children}
      </Button>
    </>
  )
}
