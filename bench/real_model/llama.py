"""Serves a model file with OpenAI's chat completions. Run by the Python of the cache, which has xllamacpp: `llama.py FILE PORT THREADS`."""

import sys
import time

import xllamacpp  # type: ignore[import-not-found]

given = xllamacpp.CommonParams()
given.model.path, given.port = sys.argv[1], int(sys.argv[2])
given.hostnames = ["127.0.0.1"]
given.n_ctx, given.n_parallel, given.use_jinja, given.ui, given.warmup = 8_192, 1, True, False, False
given.cpuparams.n_threads = given.cpuparams_batch.n_threads = int(sys.argv[3])
server = xllamacpp.Server(given)
print(server.listening_address, flush=True)
while True:
    time.sleep(60)
