"""Node.js and Java wake their threads without event descriptors, whose numbers tell of all bots."""

from dataclasses import replace

import pytest

from sandbox.compiling import build
from sandbox.levels.isolation import choose
from sandbox.uploads.unpacking import unpack
from tests.sandbox.tables import answered_by

pytestmark = pytest.mark.docker

NODE = b"""
const { Worker } = require("worker_threads"), { exec } = require("child_process");
const fs = require("fs");
const add = "require('worker_threads').parentPort.on('message', n => require('worker_threads')" +
    ".parentPort.postMessage(n + 1))";
require("readline").createInterface({ input: process.stdin }).on("line", () => {
    const worker = new Worker(add, { eval: true });
    worker.on("message", (n) => {
        if (n < 1000) return worker.postMessage(n);
        const links = fs.readdirSync("/proc/self/fd").map((each) => {
            try { return fs.readlinkSync("/proc/self/fd/" + each); } catch { return ""; }
        });
        const events = links.filter((each) => each.includes("[eventfd]")).length;
        exec("echo child", (_, said) => console.log(n, events, said.trim()));
    });
    worker.postMessage(0);
});
"""
JAVA = b"""
import java.io.*;
import java.nio.channels.Selector;
public class Bot {
    public static void main(String[] given) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in));
        lines.readLine();
        var selector = Selector.open();
        int woken = 0;
        for (int each = 0; each < 1000; each++) {
            var waker = new Thread(selector::wakeup);
            waker.start();
            selector.select();
            waker.join();
            woken++;
        }
        boolean rests = selector.select(20) == 0;
        System.out.println(woken + " " + rests);
    }
}
"""


def test_node_wakes_its_threads(tmp_path):
    assert answered_by(unpack(NODE, "bot.js"), "docker", tmp_path) == "1000 0 child"


def test_java_wakes_its_selector(tmp_path):
    program = unpack(JAVA, "Bot.java")
    built = build(program, isolation=choose("docker"), work_dir=tmp_path, on_wait=lambda: None)
    program = replace(program, artefact=built.artefact)
    assert answered_by(program, "docker", tmp_path) == "1000 true"
