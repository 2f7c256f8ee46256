-- What moves have left of the shares of the refund table, in percent; null: nothing but the table decides. A customer who moves an appointment
-- gets no larger share by it, and one whose appointment the owner moves to an earlier start no smaller one.
alter table appointments
  add column most_refund_share smallint check (most_refund_share between 0 and 100),
  add column least_refund_share smallint check (least_refund_share between 0 and 100),
  add constraint appointments_refund_shares check (least_refund_share <= most_refund_share);
