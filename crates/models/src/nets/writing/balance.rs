//! "Balance dirty pages" (the dirty ratio of chapter 5.6): a program that makes pages dirty faster than the disk writes them is paused.

use hotset_petri::{Page, Time};

use super::places::{Copies, Kernel};
use super::tokens::Call;
use super::write_back::WriteBack;

/// Adds the pauses.
pub(super) fn balance(page: &mut Page<'_>, copies: &Copies, kernel: &Kernel) {
    page.page("balance dirty pages", |page| {
        page.transition("begin to write")
            .take(&copies.committed)
            .take(&kernel.write_back)
            .when(|(call, write_back)| call.is_due && !call.is_pressed && write_back.is_too_much())
            .put(&copies.committed)
            .put(&kernel.write_back)
            .put(&kernel.presses)
            .fire(|(call, mut write_back): (Call, WriteBack), _| {
                write_back.press();
                let is_pressed = true;
                (Call { is_pressed, ..call }, write_back)
            });
        page.transition("pause")
            .take(&copies.committed)
            .take(&kernel.write_back)
            .when(|(call, write_back)| {
                call.is_due && (call.is_pressed || !write_back.is_too_much())
            })
            .put(copies.committed.timed())
            .put(&kernel.write_back)
            .fire(|(call, mut write_back): (Call, WriteBack), firing| {
                let pause = write_back.balance(firing.now());
                let (length, is_due) = pause.unwrap_or((Time::ZERO, false));
                let call = Call {
                    waited: call.waited || pause.is_some(),
                    is_due,
                    is_pressed: false,
                    ..call
                };
                ((length, call), write_back)
            });
    });
}
