import { CheckControl, type CheckControlProps } from './check-control.tsx'

/** A setting that is on or off at once. */
export function Switch(props: CheckControlProps) {
  return <CheckControl {...props} role="switch" boxClass="switch-track" />
}
