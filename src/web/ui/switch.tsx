import { CheckControl, type CheckControlProps } from './check-control.tsx'

/** A switch, for settings that apply immediately. */
export function Switch(props: CheckControlProps) {
  return <CheckControl {...props} role="switch" boxClass="switch-track" />
}
