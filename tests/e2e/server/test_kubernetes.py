"""The manifests for Kubernetes, rendered by Kustomize and checked against its schemas."""

import re
import shutil
import subprocess
import textwrap

import kubernetes_validate
import pytest
import yaml

from tests.tree import ROOT, text
from tools.services.newer_debian import unpacked

FOLDER = ROOT / "deploy/kubernetes"
KUBERNETES = "1.33"
OTHERS = {"ScaledObject"}  # of KEDA, which Kubernetes has no schema for
OWN = {"SITE", "POD", "SLOTS"}  # what the manifests put together from other values
INGRESS = """
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: site}
spec: {defaultBackend: {service: {name: web, port: {name: http}}}}
"""
PAGE = text("docs/how-to/run-on-kubernetes.md")
SERVICES = yaml.safe_load(text("compose.yaml"))["services"]


def build(folder):
    program = unpacked("kustomize") / "usr/bin/kustomize"
    done = subprocess.run([program, "build", folder], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))


@pytest.fixture(scope="module")
def rendered():
    return build(FOLDER)


def pods(rendered):
    """Return the pods of all programs by name."""
    return {
        each["metadata"]["name"]: each["spec"]["template"]["spec"]
        for each in rendered
        if each["kind"] in ("Deployment", "Job")
    }


def containers(rendered):
    """Return all containers by name, with those that prepare a node."""
    every = (
        container
        for pod in pods(rendered).values()
        for container in (*pod["containers"], *pod.get("initContainers", ()))
    )
    return {container["name"]: container for container in every}


def secrets_of(container):
    return [
        each["secretRef"]["name"] for each in container.get("envFrom", ()) if "secretRef" in each
    ]


def test_kubernetes_takes_everything_that_is_its_own(rendered):
    for each in rendered:
        if each["kind"] not in OTHERS:
            kubernetes_validate.validate(each, KUBERNETES, strict=True)


@pytest.mark.parametrize("name", ["migrate", "worker", "mail", "beat", "runner", "launcher"])
def test_program_started_as_in_compose_file(rendered, name):
    number = re.compile(r"(?<=-c )\S+")  # each has its own number of jobs at once

    started = " ".join(containers(rendered)[name]["command"])

    assert number.sub("N", started) == number.sub("N", SERVICES[name]["command"])


def test_no_program_may_more_than_it_needs(rendered):
    for name, pod in pods(rendered).items():
        assert pod["securityContext"]["runAsNonRoot"] is True, name
        assert pod["automountServiceAccountToken"] is False, name
    for name, container in containers(rendered).items():
        may = container["securityContext"]
        assert (may["readOnlyRootFilesystem"], may["allowPrivilegeEscalation"]) == (True, False)
        assert may["capabilities"]["drop"] == ["ALL"]
        assert ("add" in may["capabilities"]) == (name == "run-dir"), name
        assert "memory" in container["resources"]["limits"], name
        mounted = {mount["name"] for mount in container.get("volumeMounts", ())}
        assert ("docker" in mounted) == (name == "launcher"), name


def test_manual_names_every_secret_and_launcher_has_none(rendered):
    told = re.findall(r"^\| `(drapeau-\w+)` \| `", PAGE, re.MULTILINE)
    found = {each for container in containers(rendered).values() for each in secrets_of(container)}

    assert set(told) == found
    assert secrets_of(containers(rendered)["launcher"]) == []
    assert secrets_of(containers(rendered)["runner"]) == ["drapeau-runner"]


def test_every_variable_is_a_setting(rendered):
    settings = set(re.findall(r"^\| `(\w+)`", text("docs/reference/settings.md"), re.MULTILINE))
    (table,) = re.findall(r"^\| secret .*?\n\n", PAGE, re.DOTALL | re.MULTILINE)
    told = set(re.findall(r"`([A-Z_]+)`", table))
    (map_,) = (each["data"] for each in rendered if each["kind"] == "ConfigMap")
    given = {
        each["name"]
        for container in containers(rendered).values()
        for each in container.get("env", ())
    }

    assert told | set(map_) | (given - OWN) <= settings


def test_runners_follow_a_metric_that_the_site_has(rendered):
    (scaled,) = (each["spec"] for each in rendered if each["kind"] == "ScaledObject")
    (trigger,) = scaled["triggers"]
    (metric,) = re.findall(r"drapeau_\w+", trigger["metadata"]["query"])

    assert scaled["scaleTargetRef"]["name"] in pods(rendered)
    assert f"`{metric}`" in text("docs/reference/metrics.md")


def test_the_overlay_of_the_manual_is_rendered(tmp_path):
    (overlay,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    shutil.copytree(FOLDER, tmp_path / "kubernetes")
    (tmp_path / "overlay").mkdir()
    (tmp_path / "overlay/ingress.yaml").write_text(INGRESS)
    (tmp_path / "overlay/kustomization.yaml").write_text(textwrap.dedent(overlay))

    rendered = build(tmp_path / "overlay")

    images = {container["image"] for container in containers(rendered).values()}
    assert images == {"registry.example/drapeau:0.6.0"}
    assert {each["metadata"]["namespace"] for each in rendered} == {"drapeau"}
    (scaled,) = (each["spec"] for each in rendered if each["kind"] == "ScaledObject")
    assert scaled["maxReplicaCount"] == 250
