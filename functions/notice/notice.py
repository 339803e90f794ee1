"""Messages of the notices' queue, one a batch: a task has closed, and its project's webhook is to be told."""

import gc

gc.disable()  # nothing that is imported is garbage: looking for it is a tenth of a cold start

from typing import Any

from sheaf.logs import invoked
from sheaf.notices import deliver
from sheaf.outside import deliveries, wiring
from sheaf.settings import NoticeSettings

gc.freeze()  # and nothing of it ever will be: it is not looked through when the collector comes back
gc.enable()


@invoked
def lambda_handler(event: deliveries.Event, _context: Any) -> deliveries.BatchReply:
    world = wiring.connect(NoticeSettings)
    return deliveries.batch(world, event, lambda message: deliver.handle(world, message), world.settings.notice_queue)
