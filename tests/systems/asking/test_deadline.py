"""A server that drips, wherever in its answer, is given up when its time is over."""

from __future__ import annotations

import time

import pytest

from gardenpath.errors import NoAnswer, SystemFailure
from gardenpath.systems.asking import servers as json_server
from gardenpath.systems.asking.servers import JsonServer
from gardenpath.systems.parsers import udpipe_rest
from loopback import LoopbackHandler, LoopbackServer, running

BEGINNINGS = {
    "status": b"",
    "header": b"HTTP/1.1 200 OK\r\nX-Long: ",
    "content": b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n",
    "content without length": b"HTTP/1.0 200 OK\r\n\r\n{",
    "size of a chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
}


class Dripping(LoopbackHandler):
    def do_GET(self) -> None:
        trouble = self.server.plan[0]  # type: ignore[attr-defined]
        if trouble not in BEGINNINGS:
            return self.answer(trouble)
        self.wfile.write(BEGINNINGS[trouble])
        while not self.server.ended.wait(0.01):  # type: ignore[attr-defined]
            try:
                self.wfile.write(b"1")
            except OSError:
                break
        return None


@pytest.fixture
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_server, "TRIES", 1)


@pytest.mark.usefixtures("once")
@pytest.mark.parametrize("place", BEGINNINGS)
def test_a_server_that_drips_is_given_up(place: str) -> None:
    with running(LoopbackServer(Dripping)) as server:
        server.plan = [place]
        begin = time.monotonic()
        with pytest.raises(NoAnswer, match=r"no answer within 0\.2 s"):
            JsonServer(server.url).ask("x", None, "", 0.2)
        assert time.monotonic() - begin < 5  # a tenth of a second each would be an hour


@pytest.mark.usefixtures("once")
def test_the_first_request_is_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(udpipe_rest, "_GREETING", 0.2)
    with running(LoopbackServer(Dripping)) as server:
        server.plan = ["header"]
        with pytest.raises(NoAnswer, match=r"no answer within 0\.2 s"):
            udpipe_rest.UDPipeRest(f"{server.url}#german")


@pytest.mark.usefixtures("once")
@pytest.mark.parametrize("answer", ["[" * 5000, '{"a": ' + "1" * 5000 + "}", '{"a": "\\ud800"}', "[1]", '{"a": NaN}'])
def test_answers_that_nobody_can_bear(answer: str) -> None:
    with running(LoopbackServer(Dripping)) as server:
        server.plan = [answer]
        with pytest.raises(SystemFailure, match="the server fails: its answer is not "):
            JsonServer(server.url).ask("x", None, "", 5)
