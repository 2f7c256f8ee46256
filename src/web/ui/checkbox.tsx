import { CheckControl, type CheckControlProps } from './check-control.tsx'

/** A yes or no that is sent with its form. */
export function Checkbox(props: CheckControlProps) {
  return <CheckControl {...props} boxClass="check-box" />
}
