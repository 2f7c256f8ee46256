import { CheckControl, type CheckControlProps } from './check-control.tsx'

/** A checkbox, for values that are submitted with a form. */
export function Checkbox(props: CheckControlProps) {
  return <CheckControl {...props} boxClass="check-box" />
}
